/** A picture that cannot be loaded leaves its place to initials, or to the door. */
export function hideBrokenPictures(page: Document): void {
  for (const picture of page.images) {
    const hide = () => {
      picture.hidden = true;
    };
    picture.addEventListener("error", hide);
    if (picture.complete && picture.naturalWidth === 0) hide();
  }
}

/** A picture that cannot be loaded uncovers the initials below it. */
export function hideBrokenPictures(page: Document): void {
  for (const picture of page.images) {
    const hide = () => {
      picture.hidden = true;
    };
    picture.addEventListener("error", hide);
    if (picture.complete && picture.naturalWidth === 0) hide();
  }
}

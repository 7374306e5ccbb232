/** A picture that cannot be loaded uncovers the initials below it. */
export function hideBrokenPictures(page: Document): void {
  const hide = (picture: HTMLImageElement) => {
    picture.hidden = true;
  };
  for (const picture of page.images) {
    if (picture.complete && picture.naturalWidth === 0) hide(picture);
    else picture.addEventListener("error", () => hide(picture));
  }
}

// Why a page is not read.

/** For the model: in our own words, with nothing that a server said. */
export class PageError extends Error {}

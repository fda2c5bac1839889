// Of the library for formulas what is used here. The server gives its file to the page as it comes.
type Temml = {
  render(
    tex: string,
    place: HTMLElement,
    how: {
      readonly displayMode: boolean
      readonly annotate: boolean
      readonly throwOnError: boolean
      readonly trust: boolean
      readonly strict: boolean
      readonly maxSize: readonly [number, number]
      readonly maxExpand: number
    },
  ): void
}

declare const temml: Temml
export = temml

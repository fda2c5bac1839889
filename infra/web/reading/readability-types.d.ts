// Of Readability what is used here. Its own types are those of a browser's document.
import type { DomDocument, DomElement } from 'linkedom'

type Options = {
  readonly serializer: (node: DomElement) => DomElement
  readonly disableJSONLD: boolean
  readonly keepClasses: boolean
}

export class Readability {
  constructor(document: DomDocument, options: Options)
  /** It takes the document apart. Null where it finds no main part. */
  parse(): { readonly content?: DomElement | null } | null
}

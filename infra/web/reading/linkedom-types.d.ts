// Of linkedom what is used here. Its own types bring those of the browser with them, for the whole program.
export type DomNode = {
  readonly nodeType: number
  readonly parentNode: DomNode | null
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
}
export type DomText = DomNode & { readonly data: string }
export type DomElement = DomNode & {
  readonly localName: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  appendChild(child: DomNode): DomNode
}
export type DomDocument = {
  readonly body: DomElement
  readonly head: DomElement
  createElement(name: string): DomElement
  createTextNode(text: string): DomText
}

export function parseHTML(html: string): { readonly document: DomDocument }

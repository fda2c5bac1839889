// Goes through a part of a document in order, without recursion: no page is nested too deeply for it.
import type { DomElement, DomNode, DomText } from 'linkedom'

export type Visit =
  | { readonly kind: 'enter'; readonly element: DomElement }
  | { readonly kind: 'leave'; readonly element: DomElement }
  | { readonly kind: 'text'; readonly text: string }

/** What is inside of `root`; each element twice, before and after what is in it. */
export function* walk(root: DomElement): Generator<Visit> {
  let node: DomNode | null = root.firstChild
  while (node) {
    if (isText(node)) yield { kind: 'text', text: node.data }
    if (isElement(node)) {
      yield { kind: 'enter', element: node }
      if (node.firstChild) {
        node = node.firstChild
        continue
      }
      yield { kind: 'leave', element: node }
    }
    while (!node.nextSibling) {
      const parent: DomNode | null = node.parentNode
      if (!parent || parent === root) return
      if (isElement(parent)) yield { kind: 'leave', element: parent }
      node = parent
    }
    node = node.nextSibling
  }
}

const isElement = (node: DomNode): node is DomElement => node.nodeType === 1
const isText = (node: DomNode): node is DomText => node.nodeType === 3

// The main part of a page, by Readability: what is left without menus, margins and advertisements.
import { Readability } from '@mozilla/readability'
import type { DomDocument, DomElement } from 'linkedom'

/** Trying again with looser rules prints and reads the whole page anew, which takes seconds for long ones. */
const mostRetriedChars = 50_000

/** It takes the document, of so many characters, apart. Undefined where there is no part that is the main one. */
export function findMain(document: DomDocument, chars: number): DomElement | undefined {
  if (chars > mostRetriedChars) forbidRetries(document.body)
  try {
    const options = { serializer: (node: DomElement) => node, disableJSONLD: true, keepClasses: true }
    return new Readability(document, options).parse()?.content ?? undefined
  } catch {
    // It stumbles over odd documents, or was about to try again.
    return undefined
  }
}

function forbidRetries(body: DomElement): void {
  Object.defineProperty(body, 'innerHTML', {
    get: () => '',
    set() {
      throw new Error('The page is too long to be looked at again.')
    },
  })
}

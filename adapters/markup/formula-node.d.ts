// A formula as a node of the Markdown tree.
import type { Text } from 'mdast'

/** `value`: as it was written, with its marks. `tex`: what stands between them. */
export interface Formula {
  type: 'formula'
  value: string
  tex: string
  isBlock: boolean
  position?: Text['position']
  data?: Text['data']
}

declare module 'mdast' {
  interface PhrasingContentMap {
    formula: Formula
  }
  interface RootContentMap {
    formula: Formula
  }
}

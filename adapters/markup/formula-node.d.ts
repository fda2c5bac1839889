// A formula as a node of the Markdown tree.
import 'mdast'

/** `value`: as it was written, with its marks. `tex`: what stands between them. */
export interface Formula {
  type: 'formula'
  value: string
  tex: string
  isBlock: boolean
  position?: import('unist').Position | undefined
  data?: import('unist').Data | undefined
}

declare module 'mdast' {
  interface PhrasingContentMap {
    formula: Formula
  }
  interface RootContentMap {
    formula: Formula
  }
}

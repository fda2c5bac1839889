// Of lowlight what is used here. Its own types bring those of the browser with them, for the whole program.
export type Node =
  | { readonly type: 'text'; readonly value: string }
  | {
      readonly type: 'element'
      readonly properties: { readonly className?: unknown }
      readonly children: readonly Node[]
    }

export type Lowlight = {
  highlight(language: string, value: string): { readonly children: readonly Node[] }
  /** Also by a language's other names. */
  registered(language: string): boolean
}

type Grammars = Readonly<Record<string, unknown>>
/** The 37 languages that are met most. */
export const common: Grammars
export function createLowlight(grammars: Grammars): Lowlight

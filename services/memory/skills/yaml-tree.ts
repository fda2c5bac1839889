// What a YAML text comes to before anybody knows what it means: texts, lists and maps with their lines, and what is wrong with it. All scalars are texts.

export type YamlNode = { readonly line: number } & (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly YamlNode[] }
  | { readonly kind: 'map'; readonly entries: readonly YamlEntry[] }
)
export type YamlEntry = { readonly key: string; readonly line: number; readonly value: YamlNode }

export type YamlFault =
  | 'syntax'
  | 'indent'
  | 'tab'
  | 'unclosed'
  | 'duplicate'
  | 'documents'
  | 'tag'
  | 'alias'
  | 'deep'
  | 'key'

/** Lines count from 1. `root` is missing where nothing could be read. */
export type YamlRead = {
  readonly root?: YamlNode
  readonly faults: readonly { readonly line: number; readonly fault: YamlFault }[]
}

/** Reads a text of at most 16 KB. It never throws, and makes nothing but texts. */
export type ReadYaml = (text: string) => YamlRead

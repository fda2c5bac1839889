// The tools of features as they are now: those that stay as long as the process runs, and behind them those of lists that change. Of the latter no more
// are taken than a session can keep.
import { z } from 'zod'
import type { Tool } from '#shared/model/tool.ts'
import type { Feature } from './feature.ts'

/** What a prompt shows of a tool. */
export const toolDefinition = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  listing: z.enum(['always', 'rare', 'search']).exactOptional(),
})
export type ToolDefinition = z.infer<typeof toolDefinition>

export type ToolsNow = {
  readonly constant: readonly OwnedTool[]
  /** `told` is its definition as JSON. */
  readonly changing: readonly (OwnedTool & { readonly told: string })[]
  /** No feature is without its list. */
  readonly isWhole: boolean
  readonly leftOut: readonly { readonly feature: string; readonly why: string }[]
}
type OwnedTool = { readonly feature: Feature; readonly found: Tool }
type Lists = readonly (readonly Tool[] | undefined)[]

/** Of all lists that change so many tools are taken together, and so many bytes of their definitions: each session keeps a copy of them. */
export const mostChanging = 64
export const mostChangingBytes = 32_768

/** The list of each feature; undefined where it is not known now. `onFailed` hears of one that threw. */
export const listsOf = (
  features: readonly Pick<Feature, 'name' | 'tools'>[],
  onFailed: (feature: string, error: unknown) => void = () => {},
): Lists =>
  features.map(({ name, tools = [] }) => {
    if (typeof tools !== 'function') return tools
    try {
      return tools()
    } catch (error) {
      onFailed(name, error)
      return undefined
    }
  })

export function findTools(features: readonly Feature[], lists: Lists = listsOf(features)): ToolsNow {
  const each = features.flatMap((feature, i) => (lists[i] ?? []).map((found) => ({ feature, found })))
  const constant = each.filter(({ feature }) => typeof feature.tools !== 'function')
  const names = new Set(constant.map(({ found }) => found.name))
  const changing: ToolsNow['changing'][number][] = []
  const leftOut: ToolsNow['leftOut'][number][] = []
  let bytes = 0
  for (const { feature, found } of each.filter((one) => typeof one.feature.tools === 'function')) {
    const { name, told } = toTold(found) ?? {}
    const size = told === undefined ? 0 : Buffer.byteLength(told) + 1
    const leave = (why: string): number => leftOut.push({ feature: feature.name, why })
    if (name === undefined || told === undefined)
      leave('A tool is left out: its name, description or parameters are none.')
    else if (names.has(name)) leave(`The tool ${name} is left out: there is another of that name.`)
    else if (changing.length >= mostChanging || bytes + size > mostChangingBytes)
      leave(`The tool ${name} is left out: there is room for ${mostChanging} and for ${mostChangingBytes} bytes.`)
    else {
      names.add(name)
      bytes += size
      changing.push({ feature, found, told })
    }
  }
  return { constant, changing, isWhole: !lists.includes(undefined), leftOut }
}

/** All of them. */
export function toolsOf(features: readonly Feature[]): readonly Tool[] {
  const { constant, changing } = findTools(features)
  return [...constant, ...changing].map(({ found }) => found)
}

/** Others may have written what a list has: it is to be read again as it is. */
function toTold(tool: Tool): { readonly name: string; readonly told: string } | undefined {
  try {
    const { data } = toolDefinition.safeParse(tool)
    return data && { name: data.name, told: JSON.stringify(data) }
  } catch {
    return undefined
  }
}

// Reads elements that are named after what they hold, as MiniMax M3 writes the arguments of a call: `<at>here</at><list><item>1</item></list>`. Pure.

const tag = /<(\/?)([A-Za-z_][\w.-]{0,63})>/g
const mostLevels = 8

type Open = { readonly key: string; readonly from: number; readonly children: [string, unknown][] }

/** An object of all elements; undefined where the text is something else. `toValue` reads what holds no element. */
export function readElements(
  body: string,
  toValue: (key: string, text: string) => unknown,
): Readonly<Record<string, unknown>> | undefined {
  const open: Open[] = [{ key: '', from: 0, children: [] }]
  let at = 0
  for (const found of body.matchAll(tag)) {
    const [whole, slash, key = ''] = found
    const last = open.at(-1)
    if (!last) return undefined
    const text = body.slice(at, found.index)
    if (slash === '') {
      // What stands beside elements would be lost.
      if (text.trim() !== '' || open.length > mostLevels) return undefined
      open.push({ key, from: found.index + whole.length, children: [] })
    } else {
      if (last.key !== key || (last.children.length > 0 && text.trim() !== '')) return undefined
      open.pop()
      const value =
        last.children.length > 0 ? toNested(last.children) : toValue(key, body.slice(last.from, found.index))
      open.at(-1)?.children.push([key, value])
    }
    at = found.index + whole.length
  }
  const [root, ...others] = open
  if (!root || others.length > 0 || root.children.length === 0 || body.slice(at).trim() !== '') return undefined
  return Object.fromEntries(root.children)
}

/** Several of one name are a list. */
function toNested(children: readonly (readonly [string, unknown])[]): unknown {
  const [first] = children
  const isList = children.every(([key]) => key === first?.[0]) && (children.length > 1 || first?.[0] === 'item')
  return isList ? children.map(([, value]) => value) : Object.fromEntries(children)
}

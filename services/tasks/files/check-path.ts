// Names of files as the model writes them: what could lead out of the workspace, hide something, look like another name, or could not be unpacked
// on some system is refused, with a sentence that the model reads and that says what to do.
import { toPlainLine } from '#shared/feature/inert.ts'
import { toNormalForm, withFewMarks } from '#shared/chat/normal-form.ts'

const mostPathChars = 200
const mostSegmentChars = 80

/** `path` is in Unicode's form NFC: under that it is stored. */
export type CheckedPath =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'refused'; readonly why: string }

/** `there`: paths of the files that are there already. One of them may be the same, and none may be nearly the same. Time is linear in both. */
export function checkPath(wanted: string, there: readonly string[] = []): CheckedPath {
  const refuse = (why: string): CheckedPath => ({
    kind: 'refused',
    why: `The path ${quotePath(wanted)} is refused: ${why}.`,
  })
  const long = findLength(wanted)
  if (long !== undefined) return refuse(long)
  const path = toNormalForm(wanted, 'NFC')
  const segments = path.split('/')
  const why = findLength(path) ?? findWhole(wanted, path) ?? firstOf(segments, findInSegment) ?? findClash(path, there)
  return why === undefined ? { kind: 'path', path } : refuse(why)
}

/** For a sentence to the model: on one line, short, and without what nobody sees. */
export const quotePath = (path: string): string => `"${toPlainLine(path, 60)}"`

/** Two paths that have the same key are taken for each other by some system, or by a reader. */
export const toPathKey = (path: string): string =>
  toNormalForm(toNormalForm(path, 'NFKC').toUpperCase().toLowerCase(), 'NFKC')

/** The folders that a path lies in, from the top. */
export const foldersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, at, all) => all.slice(0, at + 1).join('/'))

function findLength(path: string): string | undefined {
  if (path === '') return 'it is empty. Give it a name, such as "notes/plan.md"'
  return path.length > mostPathChars
    ? `it has ${path.length} characters, and may have ${mostPathChars}. Give it a shorter name`
    : undefined
}

/** What is sought in all of a path: the rule, and what to do. */
const unseen = /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u
const otherSpace = /(?! )\p{Zs}/u

function findWhole(wanted: string, path: string): string | undefined {
  const control = /\p{Cc}/u.exec(wanted)?.[0]
  if (control !== undefined) return `it has a control character (${toCode(control)}). Leave it out`
  if (!wanted.isWellFormed()) return 'it has half of a character. Leave it out'
  const hidden = unseen.exec(wanted)?.[0]
  if (hidden !== undefined) return `it has a character that nobody sees (${toCode(hidden)}). Leave it out`
  const space = otherSpace.exec(wanted)?.[0]
  if (space !== undefined) return `it has an unusual space (${toCode(space)}). Write a usual space, or "-"`
  if (withFewMarks(wanted) !== wanted) return 'it has a heap of accents on one letter. Leave them out'
  if (path.includes('\\')) return 'it has a backslash. Write folders with "/"'
  if (/^(?:\/|[a-z]:)/i.test(path))
    return 'it is absolute. Write it as it is within the workspace, such as "notes/plan.md"'
  if (path.startsWith('~')) return 'it begins with "~". There is no home folder here: leave it out'
  return undefined
}

const toCode = (sign: string): string => `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i

function findInSegment(segment: string): string | undefined {
  const named = quotePath(segment)
  if (segment === '') return 'one of its parts is empty. Write one "/" between parts, and none at the end'
  if (segment === '.' || segment === '..')
    return `it has ${named}. Write the way from the workspace's own root, without it`
  if (segment.length > mostSegmentChars)
    return `the part ${named} has ${segment.length} characters, and may have ${mostSegmentChars}. Give it a shorter name`
  if (/[. ]$/.test(segment)) return `the part ${named} ends with a dot or a space. Leave that out`
  if (segment.startsWith(' ')) return `the part ${named} begins with a space. Leave that out`
  const sign = /[<>:"|?*]/.exec(segment)?.[0]
  if (sign !== undefined) return `the part ${named} has "${sign}", which some systems cannot store. Leave it out`
  const [stem = '', ...ends] = segment.split('.')
  if (device.test(stem.trim())) return `the part ${named} is the name of a device on Windows. Give it another name`
  // An ending is Latin, whatever the name before it is.
  return firstOf([stem, ...ends], findMixed)
}

/** Alphabets that have letters alike. Others, such as Han, may stand beside any of them. */
const alphabets = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Coptic', /\p{Script=Coptic}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
] as const

function findMixed(name: string): string | undefined {
  const found = alphabets.filter(([, letter]) => letter.test(name)).map(([alphabet]) => alphabet)
  return found.length > 1
    ? `${quotePath(name)} mixes ${found.join(' and ')} letters, which look alike. Use letters of one alphabet`
    : undefined
}

function findClash(path: string, there: readonly string[]): string | undefined {
  if (there.includes(path)) return undefined
  const key = toPathKey(path)
  const folders = new Set(foldersOf(path).map(toPathKey))
  for (const other of there) {
    const otherKey = toPathKey(other)
    if (otherKey === key)
      return `it differs from ${quotePath(other)}, which is there, only by case or by how its characters are written. Write that one, or give it another name`
    if (folders.has(otherKey)) return `${quotePath(other)} is a file, and so cannot be a folder. Give it another name`
    if (otherKey.startsWith(`${key}/`)) return `it is the folder of ${quotePath(other)}. Give it another name`
  }
  return undefined
}

function firstOf<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

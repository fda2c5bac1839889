// People and animals whom somebody calls "my …": in whatever word, mum and mother are one, and a mother is no wife. Pure.
const groups: Readonly<Record<string, { readonly latin: string; readonly han: string }>> = {
  mother: { latin: 'mothers?|mum|mom|mommy|mummy|mama', han: '妈妈|母亲|老妈|媽媽|母親|(?<=我)[妈媽]' },
  father: { latin: 'fathers?|dad|daddy|papa', han: '爸爸|父亲|老爸|父親|(?<=我)爸' },
  wife: { latin: 'wife', han: '妻子|老婆|太太' },
  husband: { latin: 'husband', han: '丈夫|老公' },
  son: { latin: 'sons?', han: '儿子|兒子' },
  daughter: { latin: 'daughters?', han: '女儿|女兒|闺女' },
  brother: { latin: 'brothers?', han: '哥哥|弟弟|(?<=我)[哥弟]' },
  sister: { latin: 'sisters?', han: '姐姐|妹妹|(?<=我)[姐妹]' },
  grandmother: { latin: 'grandmother|grandma|granny|nana', han: '奶奶|外婆|姥姥' },
  grandfather: { latin: 'grandfather|grandpa|granddad', han: '爷爷|外公|姥爷' },
  uncle: { latin: 'uncle', han: '叔叔|舅舅|伯伯' },
  aunt: { latin: 'aunt|auntie', han: '阿姨|姑姑|舅妈' },
  cousin: { latin: 'cousin', han: '表哥|表弟|表姐|表妹|堂哥|堂弟|堂姐|堂妹' },
  dog: { latin: 'dog|puppy', han: '狗狗?' },
  cat: { latin: 'cat|kitten', han: '猫咪?|貓' },
}
const patterns = Object.entries(groups).map(([name, { latin, han }]) => ({
  name,
  pattern: new RegExp(`(?<![a-z])(?:${latin})(?![a-z])|${han}`, 'giu'),
}))

export type WithKin = {
  /** Each of them by one word. */
  readonly text: string
  readonly kin: ReadonlySet<string>
}

/** Linear in the text. */
export function readKin(text: string): WithKin {
  const kin = new Set<string>()
  let named = text
  for (const { name, pattern } of patterns)
    named = named.replaceAll(pattern, () => {
      kin.add(name)
      return ` kin${name} `
    })
  return { text: named, kin }
}

/** A question about one of them is not answered by what is told of others alone. */
export const isOfOthers = (asked: WithKin, told: WithKin): boolean =>
  asked.kin.size > 0 && told.kin.size > 0 && ![...asked.kin].some((name) => told.kin.has(name))

// What was forgotten is not inferred again from ten messages that hint at it, by whichever way it came in, in both languages, until it is ordered once more.
import { expect, test } from 'vitest'
import { openScene, readRecords, tell, toScope, type Scene } from '#test/rig/canary-scene.ts'
import { keepBy } from '#test/rig/canary-ways-in.ts'
import { forgetWords } from '#test/rig/canary-ways-out.ts'
import { until } from '#test/rig/fleet.ts'
import { hasReadAll, passHours } from '#test/rig/reflection.ts'

type Case = {
  readonly word: string
  /** Has it kept. */
  comeIn(scene: Scene): Promise<unknown>
  readonly hints: readonly string[]
  /** What is noticed all the same: else nothing is shown by the others. */
  readonly control: { readonly says: string; readonly word: string }
  readonly order: string
}

const cases: Readonly<Record<string, Case>> = {
  'a message': {
    word: 'Zebrafinch',
    comeIn: (scene) => tell(scene.home, 'remember that I prefer Zebrafinch cheese'),
    hints: [
      'I prefer Zebrafinch cheese.',
      'I really prefer Zebrafinch cheese!',
      'I like Zebrafinch cheese most.',
      'My favourite cheese is Zebrafinch.',
      'I always buy Zebrafinch cheese.',
      'I love Zebrafinch cheese on bread.',
      'As I said, I prefer Zebrafinch cheese.',
      'I prefer my cheese from Zebrafinch.',
      'I eat Zebrafinch cheese every day.',
      'For me only Zebrafinch cheese.',
    ],
    control: { says: 'I prefer Kingfisher tea.', word: 'Kingfisher' },
    order: 'remember that I prefer Zebrafinch cheese',
  },
  'an anchor': {
    word: 'Zebrafinch',
    comeIn: (scene) => keepBy.card(scene, 'We decided on Zebrafinch for the boatshed.', 'Zebrafinch'),
    hints: [
      'We decided on Zebrafinch for the boatshed.',
      'We have decided on Zebrafinch for the boatshed.',
      'We agreed on Zebrafinch for the boatshed.',
      'So we settled on Zebrafinch for the boatshed.',
      "Let's go with Zebrafinch for the boatshed.",
      'The decision is: Zebrafinch for the boatshed.',
      'At the meeting we agreed on Zebrafinch for the boatshed.',
      'We are going with Zebrafinch for the boatshed.',
      'It is decided: the boatshed gets Zebrafinch.',
      'We finally decided that Zebrafinch is for the boatshed.',
    ],
    control: { says: 'We decided on Kingfisher for the garden gate.', word: 'Kingfisher' },
    order: 'remember that we decided on Zebrafinch for the boatshed',
  },
  'a consolidation': {
    word: 'Zebrafinch',
    comeIn: (scene) =>
      keepBy.night(scene, [
        'remember that I prefer Zebrafinch honey in the morning',
        'remember that I prefer Zebrafinch honey in the morning at home with bread',
      ]),
    hints: [
      'I prefer Zebrafinch honey in the morning.',
      'I prefer Zebrafinch honey in the morning with bread.',
      'In the morning I prefer Zebrafinch honey.',
      'I like Zebrafinch honey in the morning at home.',
      'I love Zebrafinch honey with bread in the morning.',
      'My favourite honey in the morning is Zebrafinch.',
      'I always eat Zebrafinch honey in the morning.',
      'As I said, I prefer Zebrafinch honey in the morning.',
      'I really prefer Zebrafinch honey in the morning!',
      'At home I prefer Zebrafinch honey with bread.',
    ],
    control: { says: 'I prefer Kingfisher tea in the evening.', word: 'Kingfisher' },
    order: 'remember that I prefer Zebrafinch honey in the morning',
  },
  'a link': {
    word: 'Zebrafinch',
    comeIn: (scene) => tell(scene.other, 'remember that I work at Zebrafinch'),
    hints: [
      'I work at Zebrafinch.',
      'I work at Zebrafinch now.',
      'My job is at Zebrafinch.',
      'My company is Zebrafinch.',
      'I still work at Zebrafinch, you know.',
      'I am employed at Zebrafinch.',
      'My employer is Zebrafinch.',
      'My office is at Zebrafinch.',
      'I work for Zebrafinch.',
      'As I said, I work at Zebrafinch.',
    ],
    control: { says: 'I work at Kingfisher.', word: 'Kingfisher' },
    order: 'remember that I work at Zebrafinch',
  },
  中文的一句话: {
    word: '斑马雀',
    comeIn: (scene) => tell(scene.home, '记住我喜欢斑马雀奶酪'),
    hints: [
      '我喜欢斑马雀奶酪。',
      '我最喜欢斑马雀奶酪。',
      '我很喜欢吃斑马雀奶酪。',
      '我一直喜欢斑马雀奶酪。',
      '我爱吃斑马雀奶酪。',
      '我平时喜欢斑马雀奶酪。',
      '我说过，我喜欢斑马雀奶酪。',
      '我更喜欢斑马雀奶酪。',
      '我每天都吃斑马雀奶酪。',
      '奶酪我只喜欢斑马雀的。',
    ],
    control: { says: '我喜欢翠鸟牌绿茶。', word: '翠鸟' },
    order: '记住我喜欢斑马雀奶酪',
  },
  中文的锚点: {
    word: '斑马雀',
    comeIn: (scene) => keepBy.card(scene, '我们决定船坞采用斑马雀方案。', '斑马雀'),
    hints: [
      '我们决定船坞采用斑马雀方案。',
      '我们已经决定船坞采用斑马雀方案。',
      '我们商定船坞采用斑马雀方案。',
      '大家决定船坞采用斑马雀方案。',
      '最后我们决定船坞采用斑马雀方案。',
      '我们约定船坞采用斑马雀方案。',
      '我们决定采用斑马雀船坞方案。',
      '所以我们决定船坞采用斑马雀方案。',
      '今天我们决定船坞采用斑马雀方案。',
      '我们说好船坞采用斑马雀方案。',
    ],
    control: { says: '我们决定花园种翠鸟牌玫瑰。', word: '翠鸟' },
    order: '记住我们决定船坞采用斑马雀方案',
  },
  中文的关联: {
    word: '斑马雀',
    comeIn: (scene) => tell(scene.other, '记住我在斑马雀公司上班'),
    hints: [
      '我在斑马雀公司上班。',
      '我现在在斑马雀公司上班。',
      '我在斑马雀公司工作。',
      '我的公司是斑马雀公司。',
      '我的单位是斑马雀公司。',
      '我还在斑马雀公司上班。',
      '我说过，我在斑马雀公司上班。',
      '我在斑马雀公司任职。',
      '我目前在斑马雀公司工作。',
      '我每天在斑马雀公司上班。',
    ],
    control: { says: '我在翠鸟公司上班。', word: '翠鸟' },
    order: '记住我在斑马雀公司上班',
  },
}

test.each(Object.entries(cases))('by %s', { timeout: 120_000 }, async (_, { word, comeIn, hints, control, order }) => {
  await using parts = new AsyncDisposableStack()
  const scene = await openScene(parts)
  const { fleet, home } = scene
  const scope = toScope(scene, home)
  const findKept = async (part: string): Promise<readonly string[]> => [
    ...(await readRecords(scene, scope)).map(({ text }) => text).filter((text) => text.includes(part)),
    ...(await fleet.runtime.graph.readAll(scope))
      .map((item) => JSON.stringify(item))
      .filter((one) => one.includes(part)),
  ]
  await comeIn(scene)
  await until(async () => (await findKept(word)).length > 0)
  await forgetWords(home, word)
  await until(async () => (await findKept(word)).length === 0)
  for (const hint of hints) await tell(home, hint)
  await tell(home, control.says)
  await until(async () => {
    await passHours(fleet, 'memory.entities')
    return await hasReadAll(fleet)
  })
  await until(async () => (await findKept(control.word)).length > 0)
  expect(await findKept(word)).toEqual([])
  await tell(home, order)
  await until(async () => (await findKept(word)).length > 0)
})

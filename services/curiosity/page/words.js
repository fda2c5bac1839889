// What the page of curiosity says, in both languages.

/** @typedef {'zh' | 'en'} Language */

const zh = {
  lead: '有些事只有人能告诉我。这里只有数字：我问了什么类型的问题，结果怎样。最近 400 天。',
  off: '好奇心在这里没有开启（设置 FLOTILLA_CURIOSITY=off）：不攒问题，也不问。',
  stopped: '有主人用 /curiosity stop all 停下了：现在谁都不问，也不攒问题。/curiosity start all 恢复。',
  none: '还没有问过任何人。',
  answered: '有回答',
  used: '后来用到',
  waiting: '等着问',
  of: (/** @type {number} */ part, /** @type {number} */ all) => `${part} / ${all}`,
  usedNote: '回答还记着，后来回答别的问题时给模型看过',
  kind: '类型',
  all: '全部',
  people: (/** @type {number} */ many, /** @type {boolean} */ isPart) =>
    isPart ? `最近问过的 ${many} 人。\`npm run flotilla -- curiosity report\` 数得更多。` : `共 ${many} 人。`,
  retired: (/** @type {number} */ many) => `对 ${many} 人已自动停问`,
  retiredNote: '同一类型的问题，一个人收到至少 20 个、回答不到 20%，就不再问他这一类型。',
  tableName: '按类型',
  kinds: {
    choice: '选择',
    'yes-no': '是或不是',
    words: '几个字',
    action: '动手去做',
    judgement: '判断',
    keep: '要不要记住',
  },
  counts: {
    asked: '问了',
    answered: '回答',
    undone: '撤销',
    skipped: '跳过',
    never: '别再问',
    ignored: '没理会',
    later: '改天再问',
    open: '还开着',
    used: '后来用到',
  },
}

/** @type {typeof zh} */
const en = {
  lead: 'Some things only people can tell. Here are numbers alone: which kinds of questions I asked, and what came of them, within the last 400 days.',
  off: 'Curiosity is off here (setting FLOTILLA_CURIOSITY=off): no questions are collected, and none are asked.',
  stopped:
    'An owner has stopped all questions by /curiosity stop all: nobody is asked, and no questions are collected. /curiosity start all lifts that.',
  none: 'Nobody was asked anything yet.',
  answered: 'answered',
  used: 'used later',
  waiting: 'waiting to be asked',
  of: (part, all) => `${part} of ${all}`,
  usedNote: 'the answer is still kept, and was given to the model for a later answer',
  kind: 'Kind',
  all: 'All',
  people: (many, isPart) =>
    isPart
      ? `The ${many} people who were asked last. \`npm run flotilla -- curiosity report\` counts more.`
      : many === 1
        ? 'One person.'
        : `${many} people.`,
  retired: (many) => (many === 1 ? 'stopped by itself for one person' : `stopped by itself for ${many} people`),
  retiredNote:
    'If a person got at least 20 questions of one kind and answered fewer than 20 % of them, they are asked no more of that kind.',
  tableName: 'By kind',
  kinds: {
    choice: 'Choice',
    'yes-no': 'Yes or no',
    words: 'A few words',
    action: 'Something to do',
    judgement: 'Judgement',
    keep: 'Keep it or not',
  },
  counts: {
    asked: 'asked',
    answered: 'answered',
    undone: 'undone',
    skipped: 'skipped',
    never: 'never again',
    ignored: 'ignored',
    later: 'put off',
    open: 'still open',
    used: 'used later',
  },
}

/** @typedef {typeof zh} Words */
export const words = { zh, en }

/** One of a list of words; the name itself where there is none. @param {Record<string, string>} list @param {string} name */
export const say = (list, name) => list[name] ?? name

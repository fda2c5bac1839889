// What the page of memory says, in both languages.

/** @typedef {'zh' | 'en'} Language */

const zh = {
  lead: '我为你记住的。只有你看得到；改了、忘了，到处都一样。',
  search: '搜索记住的',
  all: '全部',
  none: '还没有记住什么。在对话里说“记住……”就有了。',
  nothing: '没有找到。换几个字试试。',
  count: (/** @type {number} */ many) => `共 ${many} 条`,
  part: '这里没有全部列出。搜索能找到其余的。',
  edit: '编辑',
  forget: '忘掉',
  really: '真的忘掉',
  keep: '留着',
  pin: '置顶',
  unpin: '取消置顶',
  confirm: '确认',
  save: '保存',
  cancel: '取消',
  changed: '这一条刚才被改过了，现在是这样。',
  forgotten: '已忘掉。',
  pinned: '已置顶',
  unconfirmed: '未经确认',
  old: '已有更新',
  forAll: '对所有人',
  by: (/** @type {string} */ who) => `${who} 说的`,
  used: (/** @type {number} */ times) => `用过 ${times} 次`,
  from: '出处',
  label: '第 %n 条',
  waits: '等你确认',
  graph: '图',
  noGraph: '还没有从你说的话里找到人和事物。',
  guessed: '从你说的话里推测出的人和事物。实线是确认过的。',
  pressNode: '点一个圆，看看知道它什么。',
  partGraph: '太多了，这里只画联系最多的。',
  you: '你',
  others: (/** @type {import('./shape.js').Counts} */ { people, ofPeople, chats, ofChats, forAll }) =>
    `整个服务：${people} 个人 ${ofPeople} 条，${chats} 个群 ${ofChats} 条，对所有人 ${forAll} 条。内容只有他们自己看得到。`,
  kindOf: { fact: '事实', preference: '偏好', todo: '待办', decision: '决定', constraint: '约束', note: '笔记' },
  kinds: { fact: '事实', preference: '偏好', todo: '待办', decision: '决定', constraint: '约束', note: '笔记' },
}

/** @type {typeof zh} */
const en = {
  lead: 'What I keep for you. Only you see it, and what you change or forget here is changed everywhere.',
  search: 'Search what is kept',
  all: 'All',
  none: 'Nothing is kept yet. Say “remember that …” in a conversation.',
  nothing: 'Nothing found. Try other words.',
  count: (many) => (many === 1 ? 'One is kept' : `${many} are kept`),
  part: 'Not all are listed here. Search finds the others.',
  edit: 'Edit',
  forget: 'Forget',
  really: 'Really forget',
  keep: 'Keep',
  pin: 'Pin',
  unpin: 'Unpin',
  confirm: 'Confirm',
  save: 'Save',
  cancel: 'Cancel',
  changed: 'This was changed a moment ago. It says this now.',
  forgotten: 'Forgotten.',
  pinned: 'pinned',
  unconfirmed: 'not confirmed',
  old: 'something newer took its place',
  forAll: 'for everybody',
  by: (who) => `said by ${who}`,
  used: (times) => `used ${times === 1 ? 'once' : `${times} times`}`,
  from: 'where it was said',
  label: 'Number %n',
  waits: 'Waits for you',
  graph: 'Graph',
  noGraph: 'No people or things were found in what you said yet.',
  guessed: 'People and things that I found in what you said. Full lines are confirmed.',
  pressNode: 'Press a circle to see what is known of it.',
  partGraph: 'There are too many: those with most to do with others are drawn.',
  you: 'you',
  others: ({ people, ofPeople, chats, ofChats, forAll }) =>
    `In all: ${ofPeople} of ${people === 1 ? 'one person' : `${people} people`}, ${ofChats} of ${chats === 1 ? 'one group' : `${chats} groups`}, ${forAll} for everybody. Their words are seen by themselves alone.`,
  kindOf: {
    fact: 'fact',
    preference: 'preference',
    todo: 'to do',
    decision: 'decision',
    constraint: 'rule',
    note: 'note',
  },
  kinds: {
    fact: 'Facts',
    preference: 'Preferences',
    todo: 'To do',
    decision: 'Decisions',
    constraint: 'Rules',
    note: 'Notes',
  },
}

export const words = { zh, en }
/** @typedef {typeof zh} Words */

/** @param {Record<string, string>} table @param {string} name */
export const say = (table, name) => table[name] ?? name

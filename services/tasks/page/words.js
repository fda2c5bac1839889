// What the page of tasks says, in both languages.

/** @typedef {'zh' | 'en'} Language */

/** @param {number} ms @param {Language} language */
export function toSpan(ms, language) {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [minutes, hours, days] = [Math.floor(seconds / 60), Math.floor(seconds / 3600), Math.floor(seconds / 86_400)]
  const zh = language === 'zh'
  if (days > 0) return zh ? `${days} 天` : days === 1 ? '1 day' : `${days} days`
  if (hours > 0) return zh ? `${hours} 小时 ${minutes % 60} 分` : `${hours} h ${minutes % 60} min`
  if (minutes > 0) return zh ? `${minutes} 分 ${seconds % 60} 秒` : `${minutes} min ${seconds % 60} s`
  if (seconds === 0) return zh ? '不到 1 秒' : '<1 s'
  return zh ? `${seconds} 秒` : `${seconds} s`
}

/** @param {number} tokens @param {Language} language */
export const toCount = (tokens, language) =>
  `${tokens.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB')} ${language === 'zh' ? '个 token' : 'tokens'}`

/** @param {number} bytes */
export const toSize = (bytes) => (bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KB`)

/** @param {number} number @param {string} one @param {string} many */
const count = (number, one, many) => `${number} ${number === 1 ? one : many}`

const zh = {
  none: '还没有任务。在对话里写 /task 加上要做的事，就开始一件。',
  all: '所有任务',
  conversation: '打开对话',
  order: '任务原文',
  timeline: '步骤',
  files: '文件',
  noFiles: '还没有文件。',
  points: '可以回到的地方',
  asideNote: '回滚或换计划时搁置的步骤。它们还在，可以再回去。',
  planning: '定计划',
  result: '结果',
  todo: '要做什么',
  came: '做出了什么',
  gone: '已经不再保留。',
  nothingYet: '还没有。',
  journal: '做了什么',
  changes: '文件变化',
  noChanges: '文件没有变化。',
  noCalls: '没有用工具。',
  others: '含有别人的话',
  checkpoint: '做完给你看',
  outside: '会改动外部',
  here: '现在在这里',
  isAside: '搁置的',
  beginning: '最开始',
  added: '新增',
  changed: '改动',
  removed: '删去',
  undoes: '回到这里会搁置',
  undoesNothing: '回到这里不会搁置任何步骤。',
  filesThen: '回到这里之后，文件会这样变',
  filesSame: '文件不变。',
  takesBack: '在外部做的事，回滚后会问要不要撤销',
  stands: '在外部做的事，撤不回来',
  takingBack: '撤销在外部做的事',
  how: '要回滚，在对话里按检查点卡片下面的“回滚到…”。',
  asked: (/** @type {string} */ ago) => `${ago}前开始`,
  worked: (/** @type {string} */ span) => `工作 ${span}`,
  left: (/** @type {string} */ span) => `还等 ${span}，之后暂停`,
  leftWhole: (/** @type {string} */ span) => `还等 ${span}，之后暂停。`,
  running: (/** @type {string} */ span) => `已经 ${span}`,
  tries: (/** @type {number} */ times) => `${times} 次`,
  waitsFor: (/** @type {string} */ steps) => `等第 ${steps} 步`,
  step: (/** @type {number} */ step) => `第 ${step} 步之后`,
  stepName: (/** @type {number} */ step) => `第 ${step} 步`,
  version: (/** @type {number} */ generation) => `第 ${generation} 版计划`,
  more: (/** @type {number} */ times) => `……还有 ${times} 次`,
  next: (/** @type {number} */ step, /** @type {string} */ title) => `接下来：第 ${step} 步，${title}`,
  waiting: '等你决定',
  states: {
    INIT: '刚开始',
    PLANNING: '正在定计划',
    EXECUTING: '进行中',
    VERIFYING: '等你看过',
    REPLANNING: '正在改计划',
    FINALIZING: '正在收尾',
    COMPLETED: '已完成',
    ERROR: '没有完成',
    PAUSED: '已暂停',
  },
  statuses: {
    pending: '还没开始',
    running: '进行中',
    done: '做完',
    failed: '没有做成',
    blocked: '卡住',
    skipped: '跳过',
  },
  waits: {
    start: '等你按“开始”。',
    checkpoint: '等你看过：在对话里按“继续”，或回复要改的地方。',
    words: '等你写下要改的地方。',
    undo: '等你决定要不要撤销在外部做的事。',
    recovery: '没有做成，等你决定怎么办。',
    approval: '要得到批准或回答才能继续。',
  },
  ends: {
    work: '',
    paused: '已暂停，可以恢复。',
    done: '做完了。',
    failed: '没有做成。',
    limits: '用完了时间或 token，恢复会给它更多。',
    cancelled: '已取消。',
  },
}

/** @type {typeof zh} */
const en = {
  none: 'There are no tasks yet. To begin one, write /task and what is to be done in a conversation.',
  all: 'All tasks',
  conversation: 'Open the conversation',
  order: 'The order',
  timeline: 'Steps',
  files: 'Files',
  noFiles: 'There are no files yet.',
  points: 'Where it can go back to',
  asideNote: 'Steps that a rollback or another plan set aside. They are kept, and can be gone back to.',
  planning: 'Planning',
  result: 'The result',
  todo: 'What is to be done',
  came: 'What came of it',
  gone: 'It is no longer kept.',
  nothingYet: 'Nothing yet.',
  journal: 'What was done',
  changes: 'Changes of files',
  noChanges: 'No file changed.',
  noCalls: 'No tools were used.',
  others: 'contains words of others',
  checkpoint: 'shown to you when done',
  outside: 'changes something outside',
  here: 'it is here now',
  isAside: 'set aside',
  beginning: 'The beginning',
  added: 'new',
  changed: 'changed',
  removed: 'gone',
  undoes: 'Going back here sets aside',
  undoesNothing: 'Going back here sets no step aside.',
  filesThen: 'Files would change like this',
  filesSame: 'Files stay as they are.',
  takesBack: 'Changes outside that can be taken back: it asks about each',
  stands: 'Changes outside that stand',
  takingBack: 'Taking back changes outside',
  how: 'To go back, press “Roll back to …” under its checkpoint in the conversation.',
  asked: (ago) => `started ${ago} ago`,
  worked: (span) => `${span} of work`,
  left: (span) => `for another ${span}, then it is paused`,
  leftWhole: (span) => `It waits for another ${span}; then it is paused.`,
  running: (span) => `for ${span}`,
  tries: (times) => count(times, 'try', 'tries'),
  waitsFor: (steps) => `waits for step ${steps}`,
  step: (step) => `After step ${step}`,
  stepName: (step) => `Step ${step}`,
  version: (generation) => `plan ${generation}`,
  more: (times) => `… ${times} more`,
  next: (step, title) => `Next: step ${step}, ${title}`,
  waiting: 'waits for you',
  states: {
    INIT: 'beginning',
    PLANNING: 'being planned',
    EXECUTING: 'at work',
    VERIFYING: 'waits for you',
    REPLANNING: 'being planned anew',
    FINALIZING: 'being finished',
    COMPLETED: 'done',
    ERROR: 'not finished',
    PAUSED: 'paused',
  },
  statuses: {
    pending: 'to come',
    running: 'at work',
    done: 'done',
    failed: 'failed',
    blocked: 'blocked',
    skipped: 'left out',
  },
  waits: {
    start: 'It waits for Start.',
    checkpoint: 'Please look at it: press Continue in the conversation, or reply there with what should change.',
    words: 'It waits for you to write what should change.',
    undo: 'It waits for you to decide whether a change outside is taken back.',
    recovery: 'It did not succeed. You decide what to do.',
    approval: 'It needs an approval or an answer to go on.',
  },
  ends: {
    work: '',
    paused: 'It is paused, and can be resumed.',
    done: 'It is done.',
    failed: 'It did not succeed.',
    limits: 'It has used up its time or tokens. Resuming gives it more.',
    cancelled: 'It was cancelled.',
  },
}

/** @typedef {typeof zh} Words */
export const words = { zh, en }

/** One of a list of words; the name itself where there is none. @param {Record<string, string>} list @param {string} name */
export const say = (list, name) => list[name] ?? name

// The page's words in Chinese and English. Elements name theirs by data-t (text), data-t-label and data-t-placeholder; what stands for {0} and
// {1} in a text, by data-t-with, divided by |.

/** @typedef {'zh' | 'en'} Language */

const words = {
  app: { zh: 'Flotilla', en: 'Flotilla' },
  conversations: { zh: '会话', en: 'Conversations' },
  newChat: { zh: '新会话', en: 'New conversation' },
  openList: { zh: '打开会话列表', en: 'Open the list of conversations' },
  closeList: { zh: '关闭会话列表', en: 'Close the list of conversations' },
  skip: { zh: '跳到输入框', en: 'Skip to the message box' },
  skipPage: { zh: '跳到页面', en: 'Skip to the page' },
  pages: { zh: '页面', en: 'Pages' },
  pageOpening: { zh: '正在打开…', en: 'Opening…' },
  pageFailed: { zh: '“{0}”打不开。', en: '“{0}” could not be opened.' },
  leavePage: { zh: '回到会话', en: 'Back to the conversation' },
  message: { zh: '消息', en: 'Message' },
  placeholder: { zh: '想做点什么？', en: 'What would you like to do?' },
  hint: { zh: 'Enter 发送 · Shift+Enter 换行', en: 'Enter to send · Shift+Enter for a new line' },
  send: { zh: '发送', en: 'Send' },
  stop: { zh: '停止回答', en: 'Stop the reply' },
  newest: { zh: '到最新消息', en: 'To the newest message' },
  you: { zh: '你', en: 'You' },
  bot: { zh: 'Flotilla', en: 'Flotilla' },
  working: { zh: '正在回答', en: 'Working on a reply' },
  sending: { zh: '发送中…', en: 'Sending…' },
  waiting: { zh: '暂时发不出去，正在重试…', en: 'Cannot reach the server; trying again…' },
  refused: { zh: '没有发出：', en: 'Not sent: ' },
  more: { zh: '更多', en: 'More' },
  show: { zh: '查看', en: 'Show' },
  showHelp: { zh: '能用的命令', en: 'Commands' },
  showConfig: { zh: '设置', en: 'Settings' },
  showModel: { zh: '模型', en: 'Model' },
  showReminders: { zh: '提醒', en: 'Reminders' },
  saveFile: { zh: '把会话存为文件', en: 'Save the conversation as a file' },
  cut: { zh: '更早的消息不再保留在这里', en: 'Earlier messages are kept here no more' },
  withdraw: { zh: '收回这条消息', en: 'Take this message back' },
  waitsItsTurn: { zh: '等上面的回答写完', en: 'Waits for the answer above' },
  forgotten: { zh: '已忘掉。', en: 'Forgotten.' },
  undo: { zh: '撤销', en: 'Undo' },
  discard: { zh: '丢弃', en: 'Discard' },
  edit: { zh: '改一改', en: 'Edit' },
  connected: { zh: '已连接', en: 'Connected' },
  connecting: { zh: '连接中…', en: 'Connecting…' },
  offline: { zh: '连接断开，正在重连…', en: 'Disconnected; reconnecting…' },
  download: { zh: '下载文件', en: 'Download the file' },
  copy: { zh: '复制', en: 'Copy' },
  copyCode: { zh: '复制代码', en: 'Copy the code' },
  code: { zh: '代码', en: 'Code' },
  table: { zh: '表格', en: 'Table' },
  done: { zh: '已完成', en: 'Done' },
  notDone: { zh: '未完成', en: 'Not done' },
  search: { zh: '搜索会话和消息', en: 'Search conversations' },
  nothing: { zh: '没有找到', en: 'Nothing found' },
  foundSome: { zh: '搜索结果已列出', en: 'The list shows what was found' },
  foundPart: {
    zh: '内容太多，没有全部搜完。换个更具体的词试试。',
    en: 'There was too much to search all of it. Try a rarer word.',
  },
  searchFailed: { zh: '暂时搜不了，请稍后再试', en: 'Cannot search just now; please try again' },
  unread: { zh: '有新消息', en: 'New messages' },
  isWorking: { zh: '正在回答', en: 'A reply is being written' },
  rename: { zh: '重命名会话', en: 'Rename the conversation' },
  nameLabel: { zh: '名称', en: 'Name' },
  nameHint: { zh: '留空则用第一条消息作名称。', en: 'Leave it empty to use the first message again.' },
  save: { zh: '保存', en: 'Save' },
  cancel: { zh: '取消', en: 'Cancel' },
  remove: { zh: '删除会话', en: 'Delete the conversation' },
  removeAsk: { zh: '删除这个会话？', en: 'Delete this conversation?' },
  removeMore: {
    zh: '里面的消息和我记住的内容都会彻底删除，无法恢复。',
    en: 'Its messages and what I remember of it are deleted for good. This cannot be undone.',
  },
  removeYes: { zh: '删除', en: 'Delete' },
  earlier: { zh: '正在读取更早的消息…', en: 'Reading earlier messages…' },
  again: { zh: '重新回答', en: 'Answer again' },
  why: { zh: '为什么', en: 'Why' },
  retry: { zh: '再试一次', en: 'Try again' },
  forget: { zh: '让它忘掉', en: 'Forget' },
  copied: { zh: '已复制', en: 'Copied' },
  answered: { zh: '已经回答过了', en: 'This was answered already' },
  gone: { zh: '这条消息已经过时，按钮不再有效', en: 'This message is out of date: its buttons no longer work' },
  stale: {
    zh: '有话我当时还没看到，所以先不算数；读过之后，我会在下面再问一次',
    en: 'Something was said that I had not read, so nothing is done yet: I read it, then ask again below',
  },
  pressFailed: { zh: '没有按成，请再试一次', en: 'That did not get through; please try again' },
  questions: { zh: '待回答的问题', en: 'Open questions' },
  questionsNow: { zh: '待回答的问题：{0}', en: 'Open questions: {0}' },
  questionLater: { zh: '排在后面', en: 'comes after another one' },
  deskNow: { zh: '想问你的问题：{0}', en: 'Questions that I would like to ask you: {0}' },
  deskLine: { zh: '我有 {0} 个问题想问你，不急。', en: 'I would like to ask you {0} things. There is no hurry.' },
  deskLineOne: { zh: '我有一个问题想问你，不急。', en: 'I would like to ask you one thing. There is no hurry.' },
  deskStopped: {
    zh: '有主人让我谁都不问（/curiosity stop all）。/curiosity start all 恢复。',
    en: 'An owner has stopped my questions (/curiosity stop all). /curiosity start all lifts that.',
  },
  ask: { zh: '现在问我', en: 'Ask me now' },
  step: { zh: '第 {0} 个问题，共 {1} 个', en: 'Question {0} of {1}' },
  questionsNone: { zh: '现在没有要你回答的问题。', en: 'Nothing waits for you.' },
  urgent: { zh: '紧急', en: 'Urgent' },
  canWait: { zh: '不急', en: 'Can wait' },
  timeUp: { zh: '时间到了', en: 'Time is up' },
  leftSeconds: { zh: '还剩 {0} 秒', en: '{0} s left' },
  leftMinutes: { zh: '还剩 {0} 分钟', en: '{0} min left' },
  leftHours: { zh: '还剩 {0} 小时', en: '{0} h left' },
  leftHoursMinutes: { zh: '还剩 {0} 小时 {1} 分', en: '{0} h {1} min left' },
  leftDays: { zh: '还剩 {0} 天', en: '{0} days left' },
  leftDaysHours: { zh: '还剩 {0} 天 {1} 小时', en: '{0} days {1} h left' },
  leftUntil: { zh: '{0}（到 {1}）', en: '{0} (until {1})' },
  folded: { zh: '展开 {0} 行，共 {1} 个字符', en: 'Show {0} lines, {1} characters' },
  foldedLine: { zh: '展开 1 行，共 {1} 个字符', en: 'Show 1 line, {1} characters' },
  reply: { zh: '用文字回答', en: 'Reply' },
  replyDeny: { zh: '拒绝并说明原因', en: 'Deny and say why' },
  replyingTo: { zh: '正在回答：', en: 'Replying to: ' },
  replyingDenies: {
    zh: '发送即拒绝，你写的就是原因。要批准，请按按钮。',
    en: 'Sending denies this; your words are the reason. To approve, press a button.',
  },
  replyingLate: {
    zh: '这个问题已经结束，发送的只是一条普通消息。',
    en: 'This question has ended: what you send is a plain message.',
  },
  whyNot: { zh: '为什么不行？', en: 'Why not?' },
  sendDenies: { zh: '发送并拒绝', en: 'Send, and deny' },
  replyCancel: { zh: '不再回答这个问题', en: 'Do not reply to it' },
  notify: { zh: '通知我', en: 'Notify me' },
  notifyOff: { zh: '不再通知', en: 'Stop notifying' },
  notifyDenied: {
    zh: '浏览器不允许本页发通知，可在浏览器的网站设置里更改。',
    en: 'The browser does not let this page notify you; its site settings change that.',
  },
  notifyNone: { zh: '这个浏览器不能从本页发通知。', en: 'This browser shows no notifications of this page.' },
  notifyOpen: {
    zh: '浏览器还没有得到允许：请再按一次，并选择允许。',
    en: 'The browser was not allowed to yet: press again, and allow it.',
  },
  questionWaits: { zh: 'Flotilla：有一个问题等你回答', en: 'Flotilla: a question waits for you' },
  replyWaits: { zh: 'Flotilla：有新的回复', en: 'Flotilla: a new reply' },
  urgentWaits: { zh: 'Flotilla：有一个紧急问题等你回答', en: 'Flotilla: an urgent question waits for you' },
  tooLong: {
    zh: '消息超过 1 MB，不能发送。请缩短或分成几条。',
    en: 'This message is larger than 1 MB and cannot be sent. Shorten it or split it.',
  },
  language: { zh: 'English', en: '中文' },
  logout: { zh: '退出', en: 'Log out' },
  welcome: { zh: '你好，有什么可以帮你？', en: 'Hello. What can I do for you?' },
  welcomeMore: {
    zh: '每条消息都会先存好再处理：关掉页面、断网、重启，都不会丢。',
    en: 'Every message is stored before it is worked on: close the page, lose the network, restart; nothing is lost.',
  },
  tryHelp: { zh: '你能做什么？', en: 'What can you do?' },
  tryPlan: { zh: '帮我拟一份周末出游的清单', en: 'Draft a packing list for a weekend trip' },
  tryAsk: { zh: '问我一个问题', en: 'Ask me something' },
  tryExplain: { zh: '简单解释一下消息队列', en: 'Explain message queues briefly' },
  loginTitle: { zh: '登录', en: 'Log in' },
  loginMore: {
    zh: '把服务器上这个文件里的令牌粘贴到这里。每个浏览器只需一次。',
    en: 'Paste the token from this file on the server. Once per browser is enough.',
  },
  token: { zh: '令牌', en: 'Token' },
  enter: { zh: '进入', en: 'Enter' },
  wrong: {
    zh: '令牌不对。请核对上面这个文件里的内容。',
    en: 'That is not the token. Check the file above.',
  },
  spent: {
    zh: '这个链接已经用过，或者超过了十分钟。请粘贴令牌，或重新启动以得到新的链接。',
    en: 'This link was used already, or is older than ten minutes. Paste the token, or start the server again for a new link.',
  },
  limit: { zh: '尝试太多次了，请过一分钟再来。', en: 'Too many attempts. Please wait a minute.' },
}

/** @typedef {keyof typeof words} Word */

const stored = localStorage.getItem('flotilla.language')
/** @type {Language} */
let current = stored === 'zh' || stored === 'en' ? stored : navigator.language.startsWith('zh') ? 'zh' : 'en'

/** @returns {Language} */
export function language() {
  return current
}

/** @param {Word} word */
export function say(word) {
  return words[word][current]
}

/** With these in the places of {0} and {1}. @param {Word} word @param {...(number | string)} values */
export function fill(word, ...values) {
  return say(word).replaceAll(/\{([01])\}/g, (_, place) => String(values[Number(place)] ?? ''))
}

/** Shows everything in the other language. */
export function switchLanguage() {
  current = current === 'zh' ? 'en' : 'zh'
  localStorage.setItem('flotilla.language', current)
  applyWords(document)
  document.dispatchEvent(new Event('languagechange'))
}

/** Fills in the words of all elements below `root`. @param {ParentNode} root */
export function applyWords(root) {
  document.documentElement.lang = current === 'zh' ? 'zh-CN' : 'en'
  for (const found of root.querySelectorAll('[data-t]')) found.textContent = lookUp(found, 'data-t')
  for (const found of root.querySelectorAll('[data-t-label]')) {
    found.setAttribute('aria-label', lookUp(found, 'data-t-label'))
    found.setAttribute('title', lookUp(found, 'data-t-label'))
  }
  for (const found of root.querySelectorAll('[data-t-placeholder]')) {
    found.setAttribute('placeholder', lookUp(found, 'data-t-placeholder'))
  }
}

/** @param {Element} holder @param {string} attribute */
function lookUp(holder, attribute) {
  const name = holder.getAttribute(attribute) ?? ''
  return isWord(name) ? fill(name, ...(holder.getAttribute('data-t-with') ?? '').split('|')) : name
}

/** @param {string} name @returns {name is Word} */
function isWord(name) {
  return Object.hasOwn(words, name)
}

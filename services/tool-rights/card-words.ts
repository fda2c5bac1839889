// The words of the card that asks to approve calls, in both languages.
import type { Language } from '#shared/chat/message.ts'

export type CardWords = {
  readonly head: (count: number) => string
  readonly left: (chars: number) => string
  readonly you: string
  readonly by: (who: string, task: string) => string
  readonly final: string
  readonly states: Readonly<Record<'really' | 'once' | 'always' | 'denied', string>>
  readonly noRight: string
  readonly tainted: (origins: string) => string
  readonly destructive: string
  readonly viewFirst: string
  readonly unread: (text: string) => string
  readonly silence: (until: string) => string
  readonly until: (at: string) => string
  readonly withinADay: string
  readonly how: string
  readonly press: string
  readonly show: string
  readonly whole: string
  readonly allOnce: string
  readonly denyAll: string
  readonly buttons: Readonly<Record<'once' | 'deny' | 'always' | 'really', string>>
  readonly always: (covers: string) => string
  readonly same: string
  readonly host: (host: string) => string
  readonly path: (path: string) => string
  readonly decided: (who: string, reason: string) => string
  readonly silent: string
  readonly calledOff: string
  readonly passedOn: string
}

export const cardWords: Readonly<Record<Language, CardWords>> = {
  zh: {
    head: (count) => (count > 1 ? `需要批准：${count} 个操作` : '需要批准：1 个操作'),
    left: (chars) => `（中间省略 ${chars} 个字符）`,
    you: '你',
    by: (who, task) => `请求者：${who}，为了：${task}`,
    final: '无法撤销',
    states: { really: '真的吗？', once: '已批准一次', always: '已在这里长期批准', denied: '已拒绝' },
    noRight: '请求者自己无权使用这个工具，所以需要主人批准。',
    tainted: (origins) => `我此前读过别人写的内容（${origins}），这个操作可能是其中的话引起的。`,
    destructive: '这无法撤销，所以会问两次。',
    viewFirst: '参数没有完整显示：要先看全部内容，才能批准。',
    unread: (text) => `这张卡片之后你又说了：${text}\n请再看一遍。`,
    silence: (until) => `${until}没有回答，就什么都不做。`,
    until: (at) => `到 ${at} `,
    withinADay: '24 小时内',
    how: '也可以回复这条消息，说明拒绝的原因。',
    press: '要批准，请按按钮。',
    show: '显示全部',
    whole: '完整的参数：',
    allOnce: '全部一次',
    denyAll: '全部拒绝',
    buttons: { once: '一次', deny: '拒绝', always: '在这里总是', really: '是的，真的' },
    always: (covers) => `“在这里总是”包括：${covers}，30 天内有效；我读过别人写的内容之后仍会再问。`,
    same: '参数完全相同的调用',
    host: (host) => `对 ${host} 的所有调用`,
    path: (path) => `对 ${path} 及其以下的所有调用`,
    decided: (who, reason) => `决定者：${who}${reason === '' ? '' : `，原因：${reason}`}。`,
    silent: '没有人回答，所以什么都没有做。',
    calledOff: '已撤回，什么都没有做。',
    passedOn: '我把结果转告那边。',
  },
  en: {
    head: (count) => (count > 1 ? `${count} calls need approval` : 'A call needs approval'),
    left: (chars) => `(${chars} characters are left out here)`,
    you: 'you',
    by: (who, task) => `Asked by ${who}, for: ${task}`,
    final: 'cannot be taken back',
    states: { really: 'really?', once: 'approved once', always: 'approved here for good', denied: 'denied' },
    noRight: 'Who asks has no right to this tool, so an owner is to approve it.',
    tainted: (origins) =>
      `Before this I had read what others wrote (${origins}): it may be their words that led to it.`,
    destructive: 'It cannot be taken back, so you are asked twice.',
    viewFirst: 'The arguments are not shown whole: see all of them first, then approve.',
    unread: (text) => `You have said since this card: ${text}\nPlease look again.`,
    silence: (until) => `If nobody answers ${until}, nothing is made.`,
    until: (at) => `by ${at}`,
    withinADay: 'within 24 hours',
    how: 'A reply to this message denies it and says why.',
    press: 'To approve, press a button.',
    show: 'Show all',
    whole: 'The arguments as a whole:',
    allOnce: 'All once',
    denyAll: 'Deny all',
    buttons: { once: 'Once', deny: 'Deny', always: 'Always here', really: 'Yes, really' },
    always: (covers) => `"Always here" covers ${covers}, for 30 days; where I have read what others wrote I still ask.`,
    same: 'calls with the very same arguments',
    host: (host) => `all calls to ${host}`,
    path: (path) => `all calls to ${path} and what is below it`,
    decided: (who, reason) => `Decided by ${who}${reason === '' ? '' : `, since: ${reason}`}.`,
    silent: 'Nobody answered, so nothing was made.',
    calledOff: 'Called off: nothing was made.',
    passedOn: 'I pass it on.',
  },
}

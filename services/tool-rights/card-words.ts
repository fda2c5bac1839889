// The words of the card that asks to approve calls, in both languages.
import type { Language } from '#shared/chat/message.ts'

/** What is asked a second time: a call that cannot be taken back, or one that was made, perhaps. */
export type Second = 'final' | 'again'

/** How a call was decided, as people read it. */
export type Verdict = 'once' | 'again' | 'always' | 'denied' | 'left' | 'done'

export type CardWords = {
  readonly head: (count: number) => string
  readonly headOfLost: string
  readonly left: (chars: number) => string
  readonly you: string
  readonly named: (name: string, id: string) => string
  readonly by: (who: string, task: string) => string
  readonly place: (chat: string) => string
  readonly alone: string
  readonly onlyReads: string
  readonly final: string
  readonly cutShort: string
  readonly states: Readonly<Record<'really' | Verdict, string>>
  readonly noRight: (who: string) => string
  readonly tainted: (origins: string) => string
  readonly destructive: string
  readonly lost: string
  /** The head of the second question about one call. */
  readonly last: string
  /** What the second question asks; `which`: the numbers, where the card has several calls. */
  readonly second: (which: readonly string[], of: Second) => string
  readonly viewFirst: string
  readonly unread: (text: string) => string
  /** `of`: one call, several, or one that was made before, perhaps. */
  readonly silence: (until: string, of: 'one' | 'several' | 'again') => string
  readonly until: (at: string) => string
  readonly withinADay: string
  readonly how: string
  readonly press: string
  readonly show: string
  readonly whole: string
  readonly allOnce: string
  readonly denyAll: string
  readonly buttons: Readonly<Record<'once' | 'again' | 'deny' | 'leave' | 'always' | 'really' | 'done', string>>
  readonly always: (covers: string) => string
  readonly same: string
  /** `also`: further arguments that must be the same; empty where none must. */
  readonly host: (host: string, also: string) => string
  readonly path: (path: string, also: string) => string
  readonly verdicts: Readonly<Record<Verdict, (who: string) => string>>
  /** `which`: the numbers of the calls, where they were not all decided alike. */
  readonly decided: (verdict: string, which: readonly string[], reason: string) => string
  readonly silent: string
  readonly calledOff: string
  readonly unsure: string
  readonly passedOn: string
}

export const cardWords: Readonly<Record<Language, CardWords>> = {
  zh: {
    head: (count) => (count > 1 ? `这 ${count} 个操作可以做吗？` : '可以这样做吗？'),
    left: (chars) => `（中间省略 ${chars} 个字符）`,
    you: '你',
    named: (name, id) => `${name}（${id}）`,
    by: (who, task) => `请求者：${who}，为了：${task}`,
    place: (chat) => `来自群：${chat}`,
    alone: '来自对方与我的私聊',
    headOfLost: '这个操作做到一半中断了',
    onlyReads: '只读取',
    final: '无法撤销',
    cutShort: '中断了，也许已经生效',
    states: {
      really: '等你再确认一次',
      once: '已批准一次',
      again: '再做一次',
      always: '已批准 30 天',
      denied: '已拒绝',
      left: '不再做',
      done: '已经完成',
    },
    noRight: (who) => `${who} 自己不能用这个工具，由你决定。`,
    tainted: (origins) => `我刚读过别人写的内容（${origins}）。请确认这是你想要的。`,
    destructive: '这无法撤销，所以你同意后，我会再问一次。',
    lost: '操作进行中程序中断了，没有人知道它是否已经生效。请先去那边看一看；如果再做一次，它也许会生效两次，所以你同意后，我会再问一次。',
    last: '你确定吗？',
    second: (which, of) => {
      const does = {
        final: `“是的，去做”：我${which.length > 0 ? '在这张卡片全部决定之后' : '马上'}就做，无法撤销；“拒绝”：不做。`,
        again: `“是的，去做”：我${which.length > 0 ? '在这张卡片全部决定之后' : '马上'}再做一次，也许会生效两次；“不再做”：不做。`,
      }[of]
      return `${which.length > 0 ? `${which.join('、')}：` : ''}这是第二次，也是最后一次问你。${does}`
    },
    viewFirst: '参数没有完整显示：要先看全部内容，才能批准。',
    unread: (text) => `这张卡片之后你又说了：${text}\n请再看一遍。`,
    silence: (until, of) =>
      ({
        one: `${until}没有回答，我就不做。`,
        several: `${until}没有全部决定，我就一个都不做。`,
        again: `${until}没有回答，我就不再做。`,
      })[of],
    until: (at) => `到 ${at} `,
    withinADay: '24 小时内',
    how: '要拒绝并说明原因，请回复这条消息。',
    press: '要批准，请点按钮。',
    show: '显示全部',
    whole: '完整的参数：',
    allOnce: '全部批准一次',
    denyAll: '全部拒绝',
    buttons: {
      once: '批准一次',
      again: '再做一次',
      deny: '拒绝',
      leave: '不再做',
      always: '批准 30 天',
      really: '是的，去做',
      done: '已经完成',
    },
    always: (covers) =>
      `“批准 30 天”批准的是：在提出请求的聊天里，30 天内${covers}。我读过别人写的内容之后仍会再问；在那里用 \`/tools\` 可以查看，也可以提前收回。`,
    same: '参数完全相同的调用',
    host: (host, also) => `对 ${host} 的所有调用${also && `（仅限 ${also}）`}`,
    path: (path, also) => `对 ${path} 及其以下的所有调用${also && `（仅限 ${also}）`}`,
    verdicts: {
      once: (who) => `✓ ${who}批准了`,
      always: (who) => `✓ ${who}批准了 30 天`,
      again: (who) => `✓ ${who}决定再做一次`,
      denied: (who) => `✗ ${who}拒绝了`,
      left: (who) => `✓ ${who}决定不再做`,
      done: (who) => `✓ ${who}说已经完成`,
    },
    decided: (verdict, which, reason) =>
      `${verdict}${which.length === 0 ? '' : `：${which.join('、')}`}${reason === '' ? '' : `，原因：${reason}`}。`,
    silent: '⌛ 没有人及时回答，所以我什么都没有做。',
    calledOff: '这个请求取消了，我什么都没有做。',
    unsure: '中断的操作是否已经生效，仍然不知道。',
    passedOn: '我把结果转告那边。',
  },
  en: {
    head: (count) => (count > 1 ? `May I do these ${count}?` : 'May I do this?'),
    left: (chars) => `(${chars} characters are left out here)`,
    you: 'you',
    named: (name, id) => `${name} (${id})`,
    by: (who, task) => `Asked by ${who}, for: ${task}`,
    place: (chat) => `In the group ${chat}`,
    alone: 'In their direct chat with me',
    headOfLost: 'I was interrupted while doing this',
    onlyReads: 'only reads',
    final: 'cannot be taken back',
    cutShort: 'cut short, perhaps it took effect',
    states: {
      really: 'waits for your second yes',
      once: 'approved once',
      again: 'will be done again',
      always: 'approved for 30 days',
      denied: 'denied',
      left: 'left as it is',
      done: 'done already',
    },
    noRight: (who) => `${who} may not use this tool, so you decide.`,
    tainted: (origins) => `I had just read text by others (${origins}). Check that you want this.`,
    destructive: 'It cannot be taken back, so after your yes I ask once more.',
    lost: 'I was interrupted during this call, and nobody knows whether it took effect. Please look there first: made again, it may take effect twice, so after your yes I ask once more.',
    last: 'Are you sure?',
    second: (which, of) => {
      const when = which.length > 0 ? 'once all calls here are decided' : 'at once'
      const does = {
        final: `“Yes, do it” does it ${when}, and it cannot be taken back. “Deny” leaves it undone.`,
        again: `“Yes, do it” does it again ${when}, and it may take effect twice. “Leave it” does nothing.`,
      }[of]
      return `${which.length > 0 ? `${which.join(', ')}: this` : 'This'} is the second and last time that I ask. ${does}`
    },
    viewFirst: 'The arguments are not shown whole: see all of them first, then approve.',
    unread: (text) => `You have said since this card: ${text}\nPlease look again.`,
    silence: (until, of) =>
      ({
        one: `If nobody answers ${until}, I do not do it.`,
        several: `Unless all of them are decided ${until}, I do none.`,
        again: `If nobody answers ${until}, I do not do it again.`,
      })[of],
    until: (at) => `by ${at}`,
    withinADay: 'within 24 hours',
    how: 'To deny it and say why, reply to this message.',
    press: 'To approve, press a button.',
    show: 'Show all',
    whole: 'The arguments as a whole:',
    allOnce: 'Approve all once',
    denyAll: 'Deny all',
    buttons: {
      once: 'Approve once',
      again: 'Do it again',
      deny: 'Deny',
      leave: 'Leave it',
      always: 'For 30 days',
      really: 'Yes, do it',
      done: 'It is done',
    },
    always: (covers) =>
      `"For 30 days" approves, in the chat of this request, ${covers}. Where I have read what others wrote I still ask; \`/tools\` there lists it and takes it back sooner.`,
    same: 'calls with the very same arguments',
    host: (host, also) => `all calls to ${host}${also && `, only with ${also}`}`,
    path: (path, also) => `all calls to ${path} and what is below it${also && `, only with ${also}`}`,
    verdicts: {
      once: (who) => `✓ Approved by ${who}`,
      always: (who) => `✓ Approved for 30 days by ${who}`,
      again: (who) => `✓ ${who} decided: do it again`,
      denied: (who) => `✗ Denied by ${who}`,
      left: (who) => `✓ Left as it is by ${who}`,
      done: (who) => `✓ Marked as done by ${who}`,
    },
    decided: (verdict, which, reason) =>
      `${verdict}${which.length === 0 ? '' : `: ${which.join(', ')}`}${reason === '' ? '' : `, because: ${reason}`}.`,
    silent: '⌛ Nobody answered in time, so I did nothing.',
    calledOff: 'This was cancelled: I did nothing.',
    unsure: 'Whether what was cut short took effect is still unknown.',
    passedOn: 'I pass it on.',
  },
}

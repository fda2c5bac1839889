// What the executor itself says to people, in both languages. Plain, short, and saying what to do next.
import type { Language, Localised } from '#shared/chat/message.ts'
import type { ModelFailureKind } from '#shared/model/model-port.ts'
import type { TurnEnding } from '#shared/run/journal.ts'

export const texts = {
  ack: { zh: '好的。', en: 'Got it.' },
  thanks: { zh: '不客气。', en: 'You are welcome.' },
  hello: { zh: '你好！有什么可以帮你？', en: 'Hello! What can I do for you?' },
  bye: { zh: '再见！', en: 'Goodbye!' },
  mediaOnly: {
    zh: '我收到了附件，但还不能打开它；请用文字告诉我需要什么。',
    en: 'I got the attachment, but I cannot open it yet. Please tell me in words what you need.',
  },
  mediaToo: {
    zh: '（我还不能打开附件，以上只根据文字回答。）',
    en: '(I cannot open attachments yet; this answers the text only.)',
  },
  tooLong: {
    zh: '（你的消息太长，我只读了开头和结尾。）',
    en: '(Your message was too long; I read its beginning and its end.)',
  },
  stranger: {
    zh: '我还不认识你。请让机器人的主人在这里用 /allow 加上你的编号来放行：',
    en: 'I do not know you yet. Ask the owner of this bot to let you in with /allow and your id: ',
  },
  chatNotAdmitted: {
    zh: '这个群还没有被放行。请机器人的主人在这里发送 /allow here。在此之前我会保持安静。',
    en: 'This group is not admitted yet. Its owner can say /allow here. Until then I stay quiet.',
  },
  admitted: {
    zh: '大家好！提到我或回复我，我就会回答。',
    en: 'Hello everyone! Mention me or reply to me and I answer.',
  },
  overBudget: {
    zh: '今天的额度用完了，明天再聊；/status 会显示用量。',
    en: 'Today\u2019s budget is used up. Let us go on tomorrow; /status shows what was used.',
  },
  unknownCommand: { zh: '没有这个命令。/help 列出全部命令。', en: 'There is no such command. /help lists them all.' },
  edited: { zh: '你修改了一条我已经回答过的消息。', en: 'You edited a message that I had already answered.' },
  redo: { zh: '重新回答', en: 'Redo' },
  joined: { zh: '[补充]', en: '[added]' },
  corrected: { zh: '[更正前面的消息]', en: '[correction of the earlier message]' },
} satisfies Record<string, Localised>

const endings: Readonly<Record<Exclude<TurnEnding, `limit:${string}`>, Localised>> = {
  answered: { zh: '', en: '' },
  stopped: { zh: '已停止。', en: 'Stopped.' },
  'model-failed': {
    zh: '模型现在没有回应，我试了几次都失败了。请稍后用 /retry 再试。',
    en: 'The model is not answering; I tried several times. Please try /retry in a while.',
  },
  'over-budget': texts.overBudget,
  'set-aside': {
    zh: '这条消息三次都处理失败，我先把它放到一边。可以换个说法，或稍后用 /retry 再试。',
    en: 'I failed on this message three times and put it aside. Rephrase it, or try /retry later.',
  },
  suspended: { zh: '我在等你的回答。', en: 'I am waiting for your answer.' },
}

const limits: Readonly<Record<string, Localised>> = {
  steps: { zh: '达到步骤上限，到此为止。', en: 'I reached the limit of steps and end here.' },
  'tool-calls': { zh: '达到工具调用上限，到此为止。', en: 'I reached the limit of tool calls and end here.' },
  tokens: { zh: '达到本轮的令牌上限，到此为止。', en: 'I reached the token limit of this turn and end here.' },
  'wall-time': { zh: '达到时间上限，到此为止。', en: 'I reached the time limit and end here.' },
  'identical-calls': { zh: '我在重复同样的调用，到此为止。', en: 'I was repeating the same call and end here.' },
}

export function endingText(ending: TurnEnding, language: Language): string {
  if (ending.startsWith('limit:')) {
    const named = limits[ending.slice('limit:'.length)]
    return named ? named[language] : ending
  }
  const known = Object.entries(endings).find(([name]) => name === ending)
  return known ? known[1][language] : ending
}

/** Why the model gave nothing, where waiting would not help. */
export const modelRefusals: Readonly<Partial<Record<ModelFailureKind, Localised>>> = {
  auth: {
    zh: '模型服务拒绝了我的密钥。请让我的管理员检查 OPENAI_API_KEY（flotilla doctor 会说明）。',
    en: 'The model service refused my key. Please ask my operator to check OPENAI_API_KEY (flotilla doctor tells more).',
  },
  'bad-request': {
    zh: '模型服务拒绝了这个请求。请换个说法，或用 /new 开始新会话。',
    en: 'The model service refused this request. Please rephrase it, or begin anew with /new.',
  },
}

/** A short reply to a courtesy, chosen by its words. */
export function courtesy(text: string, language: Language): string {
  if (/谢|thank|thx|感恩/i.test(text)) return texts.thanks[language]
  if (/再见|拜|晚安|bye|good ?night|see you/i.test(text)) return texts.bye[language]
  if (/你好|您好|嗨|早|hello|\bhi\b|hey|good (morning|evening|afternoon)/i.test(text)) return texts.hello[language]
  return texts.ack[language]
}

// Whether a question is about the bot itself: its rules, its prompt, its model, its tools. These are no person's to tell, and whoever wants them asked wants
// them changed.
import { toNormalForm } from '#shared/chat/normal-form.ts'

const own =
  /\b(?:system|hidden|initial|secret|own) (?:prompt|instruction|message|rule)s?\b|\b(?:your|my|the bot['’]?s?|the assistant['’]?s?|flotilla['’]?s?) (?:own )?(?:prompt|instructions?|rules?|guidelines?|polic(?:y|ies)|restrictions?|permissions?|settings?|configuration|guardrails?|training|memory limits?|safety|system)\b|\b(?:should|may|can|must|could|is|are|do|does|am|will) (?:i|the bot|the assistant|flotilla)\b.{0,60}\b(?:ignore|obey|follow|bypass|disable|override|rules?|instructions?|prompt|unrestricted|developer mode|jailbreak\w*)\b|\b(?:ignore|bypass|disable|override|switch off|turn off) (?:\w+ ){0,3}(?:rules?|instructions?|prompts?|filters?|safety|restrictions?|guardrails?)\b|\b(?:which|what) (?:language )?model (?:are|am|is|do|does) (?:you|i|the bot)\b|\b(?:tools?|tokens?) (?:do|may|can|could|does|should) (?:i|the bot|the assistant|flotilla)\b|\b(?:which|what) model (?:do |does )?(?:i|you|the bot) (?:am|are|is)\b|\b(?:language model|api|prompt) (?:provider|version|settings?)\b/iu
const ownHan =
  /系统(?:提示|指令|消息|设定)|提示词|(?:我|你|机器人|助手|bot)(?:的|自己的)?(?:规则|指令|设定|权限|限制|准则|守则|行为|安全策略|配置|训练)|(?:忽略|绕过|关闭|解除|取消|无视)(?:.{0,8})(?:规则|指令|限制|安全|过滤|提示)|(?:该|要|应该|可以|能)(?:不)?(?:遵守|听从|服从|违反)|开发者模式|越狱/iu

/** The first 500 characters count. */
export function isAboutBot(question: string): boolean {
  const text = toNormalForm(question.slice(0, 500).toWellFormed(), 'NFKC')
  return own.test(text) || ownHan.test(text)
}

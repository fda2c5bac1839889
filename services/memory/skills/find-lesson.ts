// Finds the order to learn a procedure in a message that is nothing but this order and the procedure: "remember this procedure: 1. … 2. …", 记住这个流程：…
// It leaves to others: questions, quotations, what somebody wants to have written, and messages without steps.
import { isYaml } from './read-yaml-skill.ts'
import { splitSteps } from './split-steps.ts'

/** Characters; nobody teaches more at once. */
const mostChars = 16_384
const mostFrames = 4

const frame =
  /^(?:@\w{0,30}(?:bot|flotilla)|(?:hi|hey|hello|ok|okay|please|pls|now|so|also)(?: bot| flotilla)?(?![a-z])|(?:can|could|would|will) you(?: please)?(?![a-z])|(?:you should|i(?:['’]d like| want| need) you to)(?![a-z])|你好|嗨|请你?|麻烦你?|帮我|你?(?:能不能|可以|能)(?=记|学)|我(?:想|要)你|你要?(?=记|学))[,，!！:： ]{0,3}/iu
const orderEn =
  /^(?:remember|learn|memori[sz]e|save|store|keep|note(?: down)?|take note of)(?: (?:this|that|the following|the|my|our|a|an|how (?:we|i) do (?:this|it)))(?: (?:new|following|standard|usual|little|short|whole|\w{1,20})){0,2}? (?:procedure|process|workflow|work flow|routine|skill|playbook|checklist|sequence of steps|steps|way of working)(?:[ \t]{1,3}(for|of|to|called|named|on)[ \t]{1,3}([^:：\n?？]{1,100}?))?(?:[ \t]{1,3}please)?[ \t]{0,3}[:：\n-][ \t]{0,5}/iu
const orderZh =
  /^(?:记住|记一下|记下来?|记好|学会|学一下|学习一下|学着|掌握|保存|存一下)(?:一下)?(?:这一?[个套份种]|下面这?[个套]?|以下|我的|我们的|一[个套])?(?:新的?)?(?:关于)?([^：:\n，,。?？]{0,40}?)的?(?:操作流程|工作流程|流程|步骤|做法|程序|工作流|技能|套路|方法)[ \t]{0,3}[:：，,\n][ \t]{0,5}/u
/** Somebody else's words. */
const quoting = /^[ \t]{0,9}[>＞]|^(?:fwd?|re|转发|转)[:：]/imu

/** What is taught, with the name that the order gave it; undefined where the message is no such order. Linear in the text. */
export function findLesson(text: string): string | undefined {
  if (text.length > mostChars || quoting.test(text)) return undefined
  let rest = text.trim()
  for (let n = 0; n < mostFrames; n += 1) {
    const [found = ''] = frame.exec(rest) ?? []
    if (found === '') break
    rest = rest.slice(found.length)
  }
  const en = orderEn.exec(rest)
  const found = en ?? orderZh.exec(rest)
  if (!found) return undefined
  const taught = rest.slice(found[0].length).trim()
  const isTaught = isYaml(taught) || (splitSteps(taught)?.steps.length ?? 0) > 1
  if (!isTaught) return undefined
  const name = (en ? en[2] : found[1])?.trim() ?? ''
  return name === '' || isYaml(taught) ? taught : `${name}\n${taught}`
}

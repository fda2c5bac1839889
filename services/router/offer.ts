// Finds what the bot's previous message, or an open question card, offers or asks: "要我帮你重构整个模块吗？" offers the
// refactoring. A general closing line ("let me know if you need anything else") offers nothing. Pure.
const zhOffer =
  /(?:(?<!不)需?要(?:不要)?我|需要吗|要吗|要不要|是否(?:需要|要|继续|开始)?|需不需要|我(?:可以|能)(?:帮|为|给|继续|再|把|先)?|如果(?:你)?(?:需要|愿意|想)|要的话|可以(?:吗|开始吗)|好吗|行吗|同意吗|确认(?:吗|要)?|现在就?.{0,10}吗|继续吗|怎么样$|如何$|吗$|呢$|还是)/u
const enOffer =
  /(?:do you want me to|would you like(?: me)?(?: to)?|want me to|should i|shall i|may i|can i|do you want|would you want|i can|i could|i'll|let me know if you(?:'d| would)? (?:want|like) me to|let me know if i should|if you(?:'d)? like|if you want|shall we|ready to|ok to|okay to|proceed|continue|happy to|how about)/u
const closing =
  /还有(?:什么|其他|别的)|还?需要(?:其他|别的|更多|什么)(?:的)?(?:帮助|帮忙|服务|协助)|有(?:什么|任何|其他|别的)?(?:问题|需要|需求).{0,8}(?:随时|告诉|联系|叫|再|请)|随时(?:告诉|找|叫|问|联系|说)|anything else|any other questions|feel free|any questions|need (?:any(?: more)? help|anything)|happy to help(?: further)?$|what else can i|how (?:else )?can i help|glad to help|有什么可以帮|如需帮助|hope (?:this|that) helps/u
const frame =
  /^.*?(?:要不要我|需不需要我|想让我|要让我|需要我|要我|是否需要我?|是否要我?|是否|我可以|我能|我来|do you want me to|would you like me to|would you like to|would you like|want me to|should i|shall i|may i|can i|i can also|i could also|i can|i could|let me know if you(?:'d| would)? (?:want|like) me to|let me know if i should|ready to|ok to|happy to|shall we|do you want)/u
const assent =
  /^(?:同意|批准|确认|接受|approve|accept|confirm|agree to|go ahead with|proceed with)(?:该|这个|这份|the|this| )*/u
const tail =
  /(?:，|,|。)?\s*(?:需要吗|要吗|可以吗|好吗|行吗|怎么样|如何|吗|呢|if you(?:'d)? like|if you want|want me to|shall i|should i|ok|okay|right)\s*$/u

const generic =
  /^(?:(?:那么?|现在|please|can i|shall we|ok to|to|i)? ?)*(?:继续$|开始$|执行$|确认|同意|批准|就?(?:这么|这样)[做办改弄]|可以|这样|按这个|照这个|(?:do|try|apply|run) (?:it|that|this|so)(?: now)?$|proceed|continue|go ahead|start$|approve|confirm|begin$|interested$|deal$|ready$|what do you think$|你觉得$|意下|does this|is this|sound|look)/u
const planned =
  /^.*?(?:next steps?(?: is| are)?[:,]? ?(?:i'll |i will |to )?|next step: |下一步[是:，]?(?:我会|我将|我要|我来)?|计划|方案|步骤|打算|准备|接下来|下一步|建议|可以|我会|我将|我要|plan(?: is)?|steps?|i'll|i will|next|going to|i(?:'d| would)? suggest|i(?:'d| would)? recommend|i could|i can|we could|you could)[:：,，]?\s*(?:是|to )?/u

/** The offered action as a request in lower case; undefined when nothing is offered or asked. */
export function findOffer(lowered: string, isCard: boolean): string | undefined {
  const sentences = (lowered.match(/[^。！!?？\n]{1,400}?(?:[。！!?？\n]|\.(?=\s|$)|$)/gu) ?? [])
    .slice(-4)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
  const recent = sentences.slice(-3).toReversed()
  const open = recent.filter((sentence) => !closing.test(sentence))
  const last =
    open.find((sentence, at) => /[?？]$/u.test(sentence) && (at < 1 || offers(sentence))) ??
    open.find(
      (sentence, at) =>
        at < 2 &&
        offers(sentence) &&
        /我(?:可以|能)|要的话|需要的话|如果|i can|i could|let me know|if you|吗|happy to|i'll/u.test(sentence) &&
        (/[吗]/u.test(sentence) ||
          /如果|要的话|需要的话|if you|let me know|can also|could also|可以帮|可以(?:继续|再|把|给|为)|能帮/u.test(
            sentence,
          )),
    )
  if (last === undefined) return isCard ? lowered : undefined
  const bare = strip(last)
  const before = sentences[sentences.indexOf(last) - 1]
  if (generic.test(bare) && before !== undefined && planned.test(before))
    return `${before.replace(planned, '')}。${bare}`
  if (bare.length > 3) return bare
  return before !== undefined && offers(before)
    ? strip(before)
    : isCard || bare !== ''
      ? `${strip(before ?? '')}。${bare}`
      : last
}

function offers(sentence: string): boolean {
  return zhOffer.test(sentence) || enOffer.test(sentence)
}

function strip(sentence: string): string {
  let text = sentence.replace(/[。.!！?？\s]+$/u, '').replace(tail, '')
  const found = frame.exec(text)
  if (found !== null) text = text.slice(found[0].length)
  return text
    .replace(assent, (found) => (found.length === text.length ? found : ''))
    .replace(/^[\s,，]+|[\s,，]+$/gu, '')
}

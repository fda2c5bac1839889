// The routes about reactions to messages.
import { z } from 'zod'
import { refusals } from './api-error.ts'
import { newId } from './ids.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import type { Reaction, StoredMessage, World } from './world.ts'

const newReaction = z.looseObject({ reaction_type: z.looseObject({ emoji_type: z.string() }) })

/** Some of the names that Feishu has; others are refused with 231001.
 * https://open.feishu.cn/document/server-docs/im-v1/message-reaction/emojis-introduce */
const emojis = new Set(
  `OK THUMBSUP THANKS MUSCLE FINGERHEART APPLAUSE FISTBUMP JIAYI DONE SMILE BLUSH LAUGH SMIRK LOL FACEPALM LOVE WINK PROUD WITTY SMART
  SCOWL THINKING SOB CRY ERROR NOSEPICK HAUGHTY SLAP SPITBLOOD TOASTED GLANCE DULL INNOCENTSMILE JOYFUL WOW TRICK YEAH ENOUGH TEARS
  EMBARRASSED KISS SMOOCH DROOL OBSESSED MONEY TEASE SHOWOFF COMFORT CLAP PRAISE STRIVE XBLUSH SILENT WAVE WHAT FROWN SHY DIZZY
  LOOKDOWN CHUCKLE WAIL CRAZY WHIMPER HUG BLUBBER WRONGED HUSKY SHHH SMUG ANGRY HAMMER SHOCKED TERROR PETRIFIED SKULL SWEAT SPEECHLESS
  SLEEP DROWSY YAWN SICK PUKE BETRAYED HEADSET EatingFood MeMeMe Sigh Typing Lemon Get LGTM OnIt OneSecond VRHeadset YouAreTheBest SALUTE
  SHAKE HIGHFIVE UPPERLEFT ThumbsDown SLIGHT TONGUE EYESCLOSED RoarForYou CALF BEAR BULL RAINBOWPUKE ROSE HEART PARTY LIPS BEER CAKE GIFT
  CUCUMBER Drumstick Pepper CANDIEDHAWS BubbleTea Coffee Yes No OKR CheckMark CrossMark MinusOne Hundred AWESOMEN Pin Alarm Loudspeaker
  Trophy Fire BOMB Music XmasTree Snowman XmasHat FIREWORKS 2022 REDPACKET FORTUNE LUCK FIRECRACKER StickyRiceBalls HEARTBROKEN POOP
  StatusFlashOfInspiration 18X CLEAVER Soccer Basketball GeneralDoNotDisturb Status_PrivateMessage GeneralInMeetingBusy StatusReading
  StatusInFlight GeneralBusinessTrip GeneralWorkFromHome StatusEnjoyLife GeneralTravellingCar StatusBus GeneralSun GeneralMoonRest`.split(
    /\s+/,
  ),
)

function find(world: World, { path }: RouteCall): StoredMessage {
  const stored = world.messages.get(path['message'] ?? '')
  if (stored === undefined || stored.isRecalled) throw refusals.reactionMessageGone()
  if (stored.chat.isDissolved) throw refusals.dissolved()
  if (!stored.chat.hasBot) throw refusals.botOutsideForReaction()
  return stored
}

export function isEmoji(name: string): boolean {
  return emojis.has(name)
}

function toWire({ app }: World, { id, emoji, by, at }: Reaction) {
  return {
    reaction_id: id,
    operator: { operator_id: by?.openId ?? app.id, operator_type: by === undefined ? 'app' : 'user' },
    action_time: String(at),
    reaction_type: { emoji_type: emoji },
  }
}

/** The same reaction once more gives the first one back. */
export function addReaction({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const { emoji_type: emoji } = check(newReaction, call.body).reaction_type
  if (!isEmoji(emoji)) throw refusals.badReaction()
  const stored = find(world, call)
  const known = stored.reactions.find((one) => one.by === undefined && one.emoji === emoji)
  if (known !== undefined) return { data: toWire(world, known), message: stored.id }
  const reaction: Reaction = { id: newId.reaction(), emoji, by: undefined, at: world.clock.now() }
  stored.reactions.push(reaction)
  events.reacted(stored, reaction, 'created')
  return { data: toWire(world, reaction), message: stored.id }
}

/** Only the bot's own. */
export function removeReaction({ world, events }: RouteDeps, call: RouteCall): RouteResult {
  const stored = find(world, call)
  const at = stored.reactions.findIndex(({ id }) => id === call.path['reaction'])
  const reaction = stored.reactions[at]
  if (reaction === undefined) throw refusals.reactionGone()
  if (reaction.by !== undefined) throw refusals.reactionNotOwn()
  stored.reactions.splice(at, 1)
  events.reacted(stored, reaction, 'deleted')
  return { data: toWire(world, reaction), message: stored.id }
}

export function listReactions({ world }: RouteDeps, call: RouteCall): RouteResult {
  const stored = find(world, call)
  const type = call.query.get('reaction_type')
  const items = stored.reactions.filter(({ emoji }) => type === null || emoji === type)
  return { data: { items: items.map((one) => toWire(world, one)), has_more: false } }
}

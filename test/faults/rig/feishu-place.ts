// A chat of a fault test on the simulated Feishu.
import { z } from 'zod'
import { toPersonName, toPlain, type Feishu } from './feishu.ts'
import { eventually, type Place } from './place.ts'

const feishuChat = z.object({
  result: z.object({
    visible: z.array(
      z.object({
        id: z.string(),
        from: z.string(),
        text: z.string(),
        texts: z.array(z.string()),
        buttons: z.array(z.array(z.object({ label: z.string(), value: z.unknown() }))),
      }),
    ),
  }),
})
const ofButton = z.object({ button: z.string() })
const feishuPress = z.object({ state: z.string(), toast: z.string().default('') })

/** The direct chat of this person, or a group, where they speak unless somebody else is named. */
export async function feishuPlace(
  feishu: Feishu | undefined,
  { who: owner, group }: { readonly who: number; readonly group?: string },
): Promise<Place> {
  if (!feishu) throw new Error('This fleet has no feishu.')
  const { control } = feishu
  const openIdOf = async (who: number): Promise<string> => (await feishu.person(who)).openId
  const chat = group ?? (await feishu.person(owner)).dm
  const values = new Map<string, unknown>()
  const mention = group === undefined ? '' : '@Flotilla '
  const say: Place['say'] = async (text, who = owner) =>
    void (await control({ do: 'say', person: toPersonName(who), chat, text: `${mention}${text}` }))
  return {
    channel: 'feishu',
    conversation: `feishu:${group ?? (await openIdOf(owner))}`,
    say,
    command: (name, who) => say(`/${name}`, who),
    async said() {
      const reply: unknown = await (await fetch(`${feishu.apiRoot}/__chat?chat=${chat}`)).json()
      return feishuChat
        .parse(reply)
        .result.visible.filter(({ from }) => from === 'bot')
        .map(({ id, text, texts, buttons }) => {
          const shown = buttons.flat().map(({ label, value }) => {
            const data = ofButton.safeParse(value).data?.button ?? ''
            values.set(data, value)
            return { label, data }
          })
          return { id, text: toPlain(text), texts: texts.map(toPlain), buttons: shown }
        })
    },
    async press(message, data, who = owner) {
      // What is made up stands in no card.
      const button = values.get(data) ?? data
      const made = await control({ do: 'press', person: toPersonName(who), chat, message, button, isForged: true })
      const look = async () => feishuPress.parse(await control({ do: 'pressed', token: String(made) }))
      return {
        async notice() {
          const settled = async () => [await look()].find(({ state }) => state !== 'waiting')
          const { state, toast } = await eventually(settled, `a press in feishu:${chat} was not acknowledged`)
          return state === 'failed' ? 'The press failed' : toast
        },
        // Feishu tells of a press once, and takes one answer.
        acknowledged: async () => ((await look()).state === 'answered' ? 1 : 0),
      }
    },
    // By its name once somebody has asked for it.
    nameOf: openIdOf,
  }
}

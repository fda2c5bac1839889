// Texts made to break out: what each platform is given holds no ping, no hidden link, no picture, and nothing that it would refuse.
import fc from 'fast-check'
import { expect } from 'vitest'
import { toCardMarkdown } from '#adapters/markup/to-card.ts'
import { toDiscord } from '#adapters/markup/to-discord.ts'
import { toEntities } from '#adapters/markup/to-entities.ts'
import { toRich } from '#adapters/markup/to-rich.ts'
import { formatText } from '#test/simulators/telegram/formatted-text.ts'
import { readBlocks } from '#test/simulators/telegram/rich-blocks.ts'
import { runs } from '#test/rig/property-runs.ts'
import { expectHonest, injected, turning } from './injections.ts'

/** Returns how many of them could be shown as blocks. */
export function tryToBreakOut(times: number): number {
  let rich = 0
  fc.assert(
    fc.property(injected, (source) => {
      const plain = toEntities(source)
      expectHonest(plain)
      const given = { text: plain.text, parseMode: undefined, entities: [...plain.entities], limit: 1e6, tooLong: '' }
      expect(formatText(given).text).not.toBe('')

      const blocks = toRich(`# Title\n\n${source}`, 0)
      if (blocks) {
        rich += 1
        const content = readBlocks(blocks, false)
        expectHonest(content)
        expect(content.media).toEqual([])
      }

      const text = toDiscord(source)
      expect(text.trim()).not.toBe('')
      expect(text).not.toMatch(turning)
      // An escaped sign, code and addresses are no marks; that no message pings anybody is a field of each (delivery.test.ts).
      const said = text.replaceAll(/\\\S|```[\s\S]*?```|(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)|<https?:[^>\n]*>/g, '·')
      expect(said).not.toMatch(/@(everyone|here)/)
      expect(said).not.toMatch(/<(?:[@#:]|a:|t:|id:|\/)/)
      expect(said).not.toMatch(/\[[^[\]]*\]\(/)

      const card = toCardMarkdown(source)
      expect(card.trim()).not.toBe('')
      expect(card).not.toMatch(turning)
      // No tag, not even in code; no picture; each link is named by its own address.
      expect(card).not.toMatch(/<\/?[a-z]/i)
      const marked = card.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '·')
      expect(marked).not.toMatch(/!\[/)
      for (const [, name = '', url] of marked.matchAll(/\[([^[\]]*)\]\(([^)]*)\)/g)) {
        const shown = name.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
        expect(withoutSigns(shown)).toBe(withoutSigns(url))
      }
    }),
    runs(times),
  )
  return rich
}

/** An address whose marks are all encoded. */
const withoutSigns = (url: string | undefined): string | undefined =>
  url?.replaceAll(/[*~|()[\]"'_]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

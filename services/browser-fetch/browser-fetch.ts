// The tool `browser_fetch`: the text of one page of the web, and where its links lead. How a page is reached, and what is refused, is a port's
// affair. Every word of the result is somebody else's, and each address stands in the form that the gateway can read back.
import { z } from 'zod'
import type { Capability } from '#shared/feature/capability.ts'
import type { Feature } from '#shared/feature/feature.ts'
import { toAddress, withoutAddresses } from '#shared/model/addresses.ts'

export type PageLink = {
  /** As `toPlainAddress` gives it. */
  readonly address: string
  readonly label: string
}
/** A page as it was read: its words are untrusted, the lengths bounded. */
export type Page = {
  /** Where it was found in the end, as `toPlainAddress` gives it. */
  readonly address: string
  readonly title: string
  /** Headings begin with `#`. */
  readonly text: string
  /** Those of its main part first. */
  readonly links: readonly PageLink[]
  /** What of the page is missing, in a sentence; empty when nothing is. */
  readonly missing: string
}

/** Rejects with what the model is to read: why there is no page, and whether to try again. */
export type ReadPage = (address: string, signal: AbortSignal) => Promise<Page>

const asked = z.object({ url: z.string() })

export const browserFetchCapability: Capability<{ readonly tools: { readonly readPage: ReadPage | undefined } }> = {
  needs: { tool: 'browser_fetch', setting: 'FLOTILLA_BROWSER_FETCH' },
  create: ({ tools }) => tools.readPage && createBrowserFetch(tools.readPage),
}

export function createBrowserFetch(read: ReadPage): Feature {
  return {
    name: 'browser-fetch',
    tools: [
      {
        name: 'browser_fetch',
        summary: { zh: '读一个网页。', en: 'Reads a page of the web.' },
        description: 'Reads a page of the web: its text and links.',
        parameters: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
        effect: 'read',
        onCrash: 'rerun',
        sends: { what: 'address', argument: 'url' },
        run: async (input, _, signal) => ({
          text: toText(await read(asked.parse(input).url.trim(), signal)),
          source: 'others',
        }),
      },
    ],
  }
}

function toText({ address, title, text, links, missing }: Page): string {
  const lines = links.map((link) => `- ${withoutAddresses(link.label)} ${toAddress(link.address)}`)
  return [
    `# ${withoutAddresses(title) || 'Untitled'}\n${toAddress(address)}`,
    ...(missing === '' ? [] : [`(${missing})`]),
    withoutAddresses(text) || '(The page has no text.)',
    ...(lines.length === 0 ? [] : [`Links:\n${lines.join('\n')}`]),
  ].join('\n\n')
}

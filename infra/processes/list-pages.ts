// The pages of the capabilities, with the ports of a process without a model. Neither is opened before somebody opens a page.
import type { ServedPage } from '#adapters/web/feature-routes.ts'
import { capabilities } from './capabilities.ts'
import { openPagePorts, type PagePorts } from './open-page-ports.ts'
import type { Runtime } from './runtime.ts'

/** In the order of the capabilities. */
export function listPages(runtime: Runtime): readonly ServedPage[] {
  let ports: PagePorts | undefined
  return capabilities.flatMap((listed) => {
    const page = 'page' in listed ? listed.page : undefined
    if (!page) return []
    const { name, title, files } = page
    return [{ name, title, files, open: async () => await page.open((ports ??= openPagePorts(runtime))) }]
  })
}

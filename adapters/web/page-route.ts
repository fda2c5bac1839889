// Serves the page's files, and the login that leads to them. Those of features' pages are for who has logged in.
import type { Hono } from 'hono'
import type { PageFace } from '#shared/feature/page.ts'
import { refuseNobody } from './answer.ts'
import { addLogin, type LoginDeps } from './login.ts'
import { loadPageFiles } from './page-files.ts'

export type PageRouteDeps = Omit<LoginDeps, 'page'> & { readonly pages: readonly PageFace[] }

/** Throws BotError `config` when a page's name or files are none. */
export function addPage(app: Hono, deps: PageRouteDeps): void {
  const { guard, place, pages } = deps
  const page = loadPageFiles(pages)
  addLogin(app, { ...deps, page })
  app.get('/', async (context) => {
    if ((await guard.identify(context)) === 'nobody') return context.redirect('/login', 303)
    return page.find('index.html', context.req.header('if-none-match')) ?? context.notFound()
  })
  app.get('/page/:name', (context) => {
    const name = context.req.param('name')
    // Past the login there are neither features' files, by a slash that is written as %2F, nor the document, which lists the pages.
    const found =
      name.includes('/') || name.endsWith('.html') ? undefined : page.find(name, context.req.header('if-none-match'))
    return found ?? context.notFound()
  })
  app.get('/page/:feature/:name', async (context) => {
    if ((await guard.identify(context)) === 'nobody') return refuseNobody(context, place)
    const { feature, name } = context.req.param()
    return page.find(`${feature}/${name}`, context.req.header('if-none-match')) ?? context.notFound()
  })
}

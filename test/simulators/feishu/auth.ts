// The routes before any token, and those about the bot and its application: tokens, where to connect, who the bot is, what it may do.
import { z } from 'zod'
import { FeishuError, refusals } from './api-error.ts'
import { check, type RouteCall, type RouteDeps, type RouteResult } from './route.ts'
import { allScopes } from './scopes.ts'
import type { AppState } from './world.ts'

const credentials = z.looseObject({ app_id: z.string(), app_secret: z.string() })
const connecting = z.looseObject({ AppID: z.string(), AppSecret: z.string() })

/** Its refusals come with HTTP 200. */
export function getTenantToken({ world, tokens }: RouteDeps, { body }: RouteCall): RouteResult {
  const given = check(credentials, body)
  const { app } = world
  if (given.app_id !== app.id) throw new FeishuError(200, 10_003, 'invalid param')
  if (given.app_secret !== app.secret) throw new FeishuError(200, 10_014, 'app secret invalid')
  const { token, expire } = tokens.give()
  return { top: { msg: 'ok', tenant_access_token: token, expire } }
}

/** Where to open a long connection. Refused with HTTP 200: 514 for bad credentials, 403 for an app that is off, 1000040350 for too many. */
export function getConnectUrl({ world, connectUrl, clientConfig }: RouteDeps, { body }: RouteCall): RouteResult {
  const given = check(connecting, body)
  const { app } = world
  if (given.AppID !== app.id || given.AppSecret !== app.secret) throw new FeishuError(200, 514, 'auth failed')
  if (!app.isEnabled) throw new FeishuError(200, 403, 'forbidden')
  const url = connectUrl()
  if (url === undefined) throw new FeishuError(200, 1_000_040_350, 'the number of connections exceeded the limit')
  return { data: { URL: url, ClientConfig: clientConfig() } }
}

/**
 * The bot stands beside the code, not in `data`. There is none before a version is published.
 * https://open.feishu.cn/document/ukTMukTMukTM/uAjMxEjLwITMx4CMyETM
 */
export function getBot({ world }: RouteDeps): RouteResult {
  const { app } = world
  if (!app.hasBotAbility || !app.isPublished) throw new FeishuError(200, 11_205, 'app do not have bot')
  return {
    top: {
      msg: 'ok',
      bot: {
        activate_status: 2,
        app_name: app.bot.name,
        avatar_url: 'https://s1-imfile.feishucdn.com/static-resource/v1/avatar.jpg',
        ip_white_list: [],
        open_id: app.bot.openId,
      },
    },
  }
}

/** 1 granted, 2 not. It needs no permission itself. https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/application-v6/scope/list */
export function listScopes({ world }: RouteDeps): RouteResult {
  if (!world.app.isPublished) throw refusals.notInstalled()
  const names = new Set<string>([...allScopes, ...world.app.scopes])
  return {
    data: {
      scopes: [...names].map((name) => ({
        scope_name: name,
        scope_type: 'tenant',
        grant_status: world.app.scopes.has(name) ? 1 : 2,
      })),
    },
  }
}

const callback = 'card.action.trigger'
const toEvents = ({ events }: AppState): readonly string[] => [...events].filter((type) => type !== callback)

const version = 'oav_d317f090b7258ad0372aa53963cda70d'

/** `status`: 0 off, 1 on, 2 not installed. https://open.feishu.cn/document/uAjLw4CM/ukTMukTMukTM/application-v6/application/get */
export function getApplication({ world, subscriptions }: RouteDeps, { path }: RouteCall): RouteResult {
  const { app } = world
  if (path['app'] !== app.id && path['app'] !== 'me') throw refusals.appUnknown()
  const { mode, url } = subscriptions()
  const address = url === undefined ? {} : { request_url: url }
  return {
    data: {
      app: {
        app_id: app.id,
        creator_id: 'ou_d317f090b7258ad0372aa53963cda70d',
        status: app.isEnabled ? 1 : 0,
        scene_type: 0,
        payment_type: 0,
        redirect_urls: [],
        online_version_id: app.isPublished ? version : '',
        unaudit_version_id: '',
        app_name: app.bot.name,
        avatar_url: '',
        description: '',
        scopes: [...app.scopes].map((scope) => ({ scope, description: scope, level: 1, token_types: ['tenant'] })),
        primary_language: 'zh_cn',
        event: { subscription_type: mode, ...address, subscribed_events: toEvents(app) },
        callback_info: {
          callback_type: mode,
          ...address,
          subscribed_callbacks: [...app.events].filter((type) => type === callback),
        },
      },
    },
  }
}

function toVersion({ app }: RouteDeps['world']) {
  const events = toEvents(app)
  return {
    app_id: app.id,
    version: '1.0.0',
    version_id: version,
    app_name: app.bot.name,
    scopes: [...app.scopes].map((scope) => ({ scope, description: scope, level: 1, token_types: ['tenant'] })),
    events,
    event_infos: events.map((type) => ({ event_type: type, event_name: type, event_description: '' })),
    // 1 approved, 4 not yet handed in.
    status: app.isPublished ? 1 : 4,
    create_time: '1610462759',
    publish_time: app.isPublished ? '1610462759' : '',
    ability: app.hasBotAbility ? { bot: { card_request_url: '' } } : {},
  }
}

export function listVersions({ world }: RouteDeps, { path }: RouteCall): RouteResult {
  if (path['app'] !== world.app.id && path['app'] !== 'me') throw refusals.appUnknown()
  return { data: { items: [toVersion(world)], has_more: false } }
}

export function getVersion({ world }: RouteDeps, { path }: RouteCall): RouteResult {
  if (path['app'] !== world.app.id && path['app'] !== 'me') throw refusals.appUnknown()
  if (path['version'] !== version) throw new FeishuError(400, 211_002, 'no such version_id')
  return { data: { app_version: toVersion(world) } }
}

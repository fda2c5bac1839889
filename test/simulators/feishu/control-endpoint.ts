// Lets another process play the people, set faults and read the ledger: `POST /__control`, `GET /__ledger`, `GET /__chat`.
// A command is `{do: <name>, …}`, see `control-commands.ts`.
import { z } from 'zod'
import { parseJson, readBody, sendJson, type Exchange } from '#test/simulators/http-server.ts'
import { personCommand, placeCommand, type PersonCommand, type PlaceCommand } from './control-commands.ts'
import type { Controls } from './controls.ts'

/** Answers a control request; false when the path is not a control path. */
export async function handleControl({ req, res, url }: Exchange, simulator: Controls): Promise<boolean> {
  switch (url.pathname) {
    case '/__control': {
      const given = parseJson(await readBody(req))
      const personal = personCommand.safeParse(given)
      const placed = placeCommand.safeParse(given)
      if (personal.success) await run(res, () => applyToPerson(personal.data, simulator))
      else if (placed.success) await run(res, () => applyToPlace(placed.data, simulator))
      else sendJson(res, 400, { ok: false, error: [personal, placed].map(({ error }) => z.prettifyError(error)) })
      return true
    }
    case '/__ledger': {
      const after = Number(url.searchParams.get('after') ?? 0)
      const { entries, deliveries, connections } = simulator.ledger
      sendJson(res, 200, {
        entries: entries.filter((entry) => entry.n > after),
        deliveries,
        connections,
        connected: simulator.connected(),
        pending: simulator.pending(),
        usedThisMonth: simulator.usedThisMonth(),
      })
      return true
    }
    case '/__chat': {
      const chat = url.searchParams.get('chat') ?? ''
      const thread = url.searchParams.get('thread') ?? undefined
      await run(res, () => ({ visible: simulator.visible(chat, thread) }))
      return true
    }
    default:
      return false
  }
}

async function run(res: Exchange['res'], act: () => unknown): Promise<void> {
  try {
    sendJson(res, 200, { ok: true, result: await act() })
  } catch (error) {
    sendJson(res, 409, { ok: false, error: String(error) })
  }
}

function applyToPerson(command: PersonCommand, simulator: Controls): unknown {
  switch (command.do) {
    case 'person': {
      const { openId, unionId, userId, name, dm } = simulator.person(command.person)
      return { openId, unionId, userId, name, dm }
    }
    case 'say':
      return simulator.person(command.person).say(command.chat, command.text, command)
    case 'sayAny':
      return simulator.person(command.person).sayAny(command.chat, command.type, command.content, command)
    case 'send':
      return simulator.person(command.person).send(command.chat, command.type, command)
    case 'openThread':
      return simulator.person(command.person).openThread(command.chat, command.text, command)
    case 'edit':
      return simulator.person(command.person).edit(command.chat, command.message, command.text)
    case 'recall':
      return simulator.person(command.person).recall(command.chat, command.message)
    case 'press':
      return simulator.person(command.person).press(command.chat, command.message, command.button, command)
    case 'react':
      return simulator.person(command.person).react(command.chat, command.message, command.emoji)
    case 'unreact':
      return simulator.person(command.person).unreact(command.chat, command.message, command.emoji)
    case 'read':
      return simulator.person(command.person).read(command.chat)
    case 'enter':
      return simulator.person(command.person).enter()
    case 'menu':
      return simulator.person(command.person).menu(command.key)
  }
}

function applyToPlace(command: PlaceCommand, simulator: Controls): unknown {
  switch (command.do) {
    case 'addGroup':
      return simulator.addGroup(command)
    case 'addBot':
      return simulator.addBot(command.chat, command.by)
    case 'removeBot':
      return simulator.removeBot(command.chat, command.by)
    case 'rename':
      return simulator.rename(command.chat, command.by, command.name)
    case 'disband':
      return simulator.disband(command.chat, command.by)
    case 'setModerated':
      return simulator.setModerated(command.chat, command.isModerated)
    case 'setCardless':
      return simulator.setCardless(command.chat, command.isCardless)
    case 'setAdmins':
      return simulator.setAdmins(command.chat, command.admins)
    case 'setReach':
      return simulator.setReach(command.person, command.isReachable)
    case 'setContact':
      return simulator.setContact(command.person, command.isContact)
    case 'stopBot':
      return simulator.stopBot(command.person)
    case 'repeat':
      return simulator.repeat(command.type)
    case 'repeatAnew':
      return simulator.repeatAnew(command.type, command)
    case 'double':
      return simulator.double(command.type, command.isDoubled)
    case 'inject':
      return simulator.inject(command.type, command.event)
    case 'setWebhook':
      return simulator.setWebhook(command)
    case 'useConnections':
      return simulator.useConnections()
    case 'silence':
      return simulator.silence()
    case 'dropConnections':
      return simulator.dropConnections(command.silentOnly)
    case 'closeConnections':
      return simulator.closeConnections(command.code)
    case 'advance':
      return simulator.advance(command.ms)
    case 'fault':
      return simulator.fault(command.rule)
    case 'clearFaults':
      return simulator.clearFaults()
    case 'setLimits':
      return simulator.setLimits(command.limits)
    case 'open':
      return simulator.open(command.gate)
    case 'changeApp': {
      const { do: _, ...change } = command
      return simulator.changeApp(change)
    }
    case 'deny':
      return simulator.deny(...command.scopes)
    case 'grant':
      return simulator.grant(...command.scopes)
    case 'subscribe':
      return simulator.subscribe(command.types)
    case 'revokeTokens':
      return simulator.revokeTokens()
    case 'pressed':
      return simulator.pressed(command.token)
    case 'clearLedger':
      return simulator.ledger.clear()
  }
}

// Loaded before a process by `--import`: its clock is CLOCK_AHEAD_MS ahead of everybody else's.
import process from 'node:process'

const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const RealDate = Date
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, self) =>
    Reflect.construct(target, args.length > 0 ? args : [RealDate.now() + aheadMs], self),
  get: (target, name, self) => (name === 'now' ? () => RealDate.now() + aheadMs : Reflect.get(target, name, self)),
})

// A limit in money that could never be reached refuses the start.
import { expect, test } from 'vitest'
import { loadSettings } from '#infra/config/settings.ts'
import { loadModel } from '#infra/processes/model.ts'

const priced = { FLOTILLA_MODEL_PRICES: '{"some-model":{"in":2.5,"out":10}}' }
const load = (env: Readonly<Record<string, string>>) =>
  loadModel(loadSettings({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', ...env }, '/srv/bot'))

test('a limit in money needs the price of the main model', async () => {
  const limits = { FLOTILLA_DAILY_USD: 'total=5', FLOTILLA_TURN_USD: '0.5' }
  await expect(load({ ...priced, ...limits, FLOTILLA_MODEL: 'another' })).rejects.toThrow(
    /^FLOTILLA_MODEL_PRICES names no price of another, so FLOTILLA_DAILY_USD and FLOTILLA_TURN_USD would limit nothing\. Add "another" to it, or unset the limits\.$/,
  )
})

test.each([
  ['its price is named', { ...priced, FLOTILLA_TURN_USD: '0.5', FLOTILLA_MODEL: 'some-model' }],
  [
    'it is an edition of one that has a price',
    { ...priced, FLOTILLA_TURN_USD: '0.5', FLOTILLA_MODEL: 'some-model-2025-01-01' },
  ],
  ['nothing is limited', { ...priced, FLOTILLA_MODEL: 'another' }],
])('it starts where %s', async (_, env) => {
  expect((await load(env)).port.describe().offline).toBe(false)
})

// The section Memory of CONFIG.md, as seed 000 §4.4 has it: its two settings are printed under the seed's names, and what is sent back is chosen.
import { expect, test } from 'vitest'
import { createConfig } from '#services/config/config.ts'
import { memoryCapability } from '#services/memory/memory.ts'
import { createStage } from '#test/services/executor/stage.ts'
import { stagePorts } from '#test/services/executor/stage-ports.ts'
import { toCommand } from '#test/rig/events.ts'
import { createMemoryGraph } from '#test/twins/memory-graph.ts'
import { createMemoryStore } from '#test/twins/memory-store.ts'

function open() {
  const chosen = new Map<string, string>()
  const memory = memoryCapability.create({
    ...stagePorts,
    memory: createMemoryStore(),
    graph: createMemoryGraph(),
    clock: { now: Date.now, timeZone: 'UTC' },
    people: {
      ...stagePorts.people,
      findChoice: async (who, setting) => chosen.get(`${who} ${setting}`),
      setChoice: async (who, setting, choice) => void chosen.set(`${who} ${setting}`, choice),
    },
    ask: async () => ({ kind: 'refused', why: 'model-failed' }) as const,
  })
  if (!memory) throw new Error('Memory has a feature.')
  const stage = createStage({ features: [memory, createConfig([memory])] })
  const config = (args: string): Promise<string> =>
    stage.ask(`/config ${args}`, { as: toCommand('config', args), command: { name: 'config', args } })
  return { chosen, config }
}

const section = (detection: string, threshold: string): string =>
  `# CONFIG\n## Memory\ndetectionEnabled: ${detection}\narchivePromptThreshold: ${threshold}`

test('it is printed as in the seed', async () => {
  const { config } = open()
  const plain = (await config('file')).replaceAll(/ {2}#.*$/gm, '')
  expect(plain).toContain('## Memory\ndetectionEnabled: true\narchivePromptThreshold: 3\n')
})

test('every choice comes back as it was sent', async () => {
  const { config, chosen } = open()
  for (const detection of ['false', 'true'])
    for (const threshold of ['1', '5', '10', '3']) {
      await config(section(detection, threshold))
      const printed = await config('file')
      expect(printed).toContain(`detectionEnabled: ${detection}  #`)
      expect(printed).toContain(`archivePromptThreshold: ${threshold}  #`)
      expect(chosen.get('web:ann memory_ask_after')).toBe(threshold)
      const file = printed.replaceAll(/^```.*$/gm, '').trim()
      expect(await config(file)).toContain('holds already')
    }
  expect(chosen.get('web:ann memory_notice')).toBe('on')
})

test('another number is refused with its line', async () => {
  const { config, chosen } = open()
  expect(await config(section('true', '4'))).toContain(
    'Line 4: `archivePromptThreshold` cannot be `4`; it is one of `1`, `3`, `5`, `10`.',
  )
  expect(chosen.size).toBe(0)
})

// infra/docs/settings.md is one table of all settings that a person sees, made from the two lists that hold: those of a chat and those of the operator.
// `npx vitest run --config test/vitest.config.ts test/infra/config/settings-document.test.ts -u` writes it anew.
import { expect, test } from 'vitest'
import { environment } from '#infra/config/variables.ts'
import { toTable } from '#test/rig/markdown-table.ts'
import { builtIn } from '#test/services/executor/stage.ts'

const most = 69
type Row = readonly [name: string, where: string, values: string]

const toCode = (text: string): string => `\`${text}\``

function toChatRows(): Row[] {
  const settings = builtIn.flatMap((feature) => feature.settings ?? [])
  return settings.map(({ id, entry, label, choices, command }): Row => {
    const { section, key } = entry ?? { section: 'Preferences', key: id }
    const where = `chat: ${['/config', ...(command ? [`/${command.name}`] : [])].map(toCode).join(', ')}; ${section}`
    return [toCode(key), where, `${label.en}: ${choices.map((choice) => toCode(choice.id)).join(', ')}`]
  })
}

const toOperatorRows = (): Row[] =>
  Object.entries(environment.shape).map(([name, { description = '' }]): Row => [
    toCode(name),
    'environment, `.env`',
    description.replaceAll(/[*|<>_]/g, String.raw`\$&`),
  ])

test('the table of settings is up to date, and has at most 69', async () => {
  const rows = [...toChatRows(), ...toOperatorRows()]
  expect(rows.length).toBeLessThanOrEqual(most)
  const names = rows.map(([name]) => name.toLowerCase())
  expect(new Set(names).size).toBe(names.length)
  const text = `# Settings

All settings that a person sees: first those of a chat, by their keys in \`CONFIG.md\` (\`/config file\`), then those of the operator. A test writes this
table and fails when it is out of date, or longer than ${most}. Each person has a time zone besides (\`/zone\`).

The operator's settings are environment variables, or lines \`NAME=value\` of a file \`.env\` in this folder. The environment goes first. An unknown \`FLOTILLA_*\`
variable, a malformed value or a contradiction refuses the start and says what to correct. Message patterns of the router can be changed in an
optional \`flotilla.config.json\`, under \`routing\`.

${toTable(['setting', 'where', 'what it may be'], rows)}
`
  await expect(text).toMatchFileSnapshot('../../../infra/docs/settings.md')
})

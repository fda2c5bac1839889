import process from 'node:process'
import { curiosityKills } from '#test/faults/scenarios/curiosity-kills.ts'
const [, , kills = '6', pairs = '1', days = '2', seed = '5'] = process.argv
const t=Date.now()
try { await curiosityKills({ seed: Number(seed), kills: Number(kills), pairs: Number(pairs), days: Number(days) }).run((l) => console.log(((Date.now()-t)/1000).toFixed(0), l)); console.log('PASSED') }
catch (e) { console.log('FAILED', e); process.exitCode = 1 }
console.log(((Date.now()-t)/1000).toFixed(0),'s'); process.exit()

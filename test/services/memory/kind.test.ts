// The kind of record that an order to remember makes.
import { expect, it } from 'vitest'
import { toKind } from '#services/memory/kind.ts'

it.each([
  ['I live in Lyon', 'fact'],
  ['my sister is called Ida', 'fact'],
  ['my sprint demo is every second Thursday', 'fact'],
  ['I am allergic to nuts', 'fact'],
  ['我住在里昂', 'fact'],
  ['我女儿对芒果过敏', 'fact'],
  ['我的工位在六楼', 'fact'],
  ['I hate sitting backwards', 'preference'],
  ['call me Mo', 'preference'],
  ['always answer in French', 'preference'],
  ["I don't eat meat", 'preference'],
  ['我喜欢喝茶', 'preference'],
  ['我不吃香菜', 'preference'],
  ['以后叫我小林', 'preference'],
  ['回答必须先说结论', 'preference'],
  ['I have to renew my passport in May', 'todo'],
  ['I still need to file the grant report', 'todo'],
  ['我下周要交季度预算表', 'todo'],
  ['we decided to use Postgres', 'decision'],
  ['it is settled: Postgres', 'decision'],
  ['我们决定用蓝色那版', 'decision'],
  ['上线时间定在八月三号', 'decision'],
  ['the printer only takes A4', 'constraint'],
  ['nothing gets deployed on Fridays', 'constraint'],
  ['周报必须周五中午前交', 'constraint'],
  ['生产库只能读', 'constraint'],
])('%j is a %s', (text, kind) => {
  expect(toKind(text)).toBe(kind)
})

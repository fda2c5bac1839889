// A tool's schema with no more than every server knows: types, descriptions, properties, items, what is required, and lists of values. Pure.
// What is left out is checked all the same when the tool is called.

import { isList, isObject, type Fields } from '#shared/json.ts'

const mostLevels = 12

export function toLeanSchema(schema: Fields): Fields {
  const lean = toLean(schema, 0)
  return { type: 'object', properties: {}, ...lean }
}

function toLean(given: unknown, level: number): Fields {
  if (!isObject(given) || level > mostLevels) return { type: 'string' }
  const schema = choose(given)
  const { properties, items, required, description } = schema
  const values = 'const' in schema ? [schema['const']] : schema['enum']
  const type = toType(schema['type']) ?? (properties ? 'object' : items ? 'array' : typeOfValues(values))
  return {
    type,
    ...(typeof description === 'string' ? { description } : {}),
    // Several servers know lists of texts only.
    ...(isList(values) && type === 'string' ? { enum: values.filter((one) => typeof one === 'string') } : {}),
    ...(isObject(properties) ? { properties: mapValues(properties, (one) => toLean(one, level + 1)) } : {}),
    ...(type === 'array' ? { items: toLean(isList(items) ? items[0] : items, level + 1) } : {}),
    ...(isList(required) && required.length > 0 ? { required } : {}),
  }
}

/** Of several forms the first that says what it is; with what stands beside them. */
function choose(schema: Fields): Fields {
  const { anyOf, oneOf, allOf, ...own } = schema
  for (const forms of [anyOf, oneOf, allOf]) {
    const form = isList(forms) ? forms.find((one) => isObject(one) && one['type'] !== 'null') : undefined
    if (isObject(form)) return { ...choose(form), ...own }
  }
  return own
}

const toType = (type: unknown): unknown => (isList(type) ? type.find((one) => one !== 'null') : type)

function typeOfValues(values: unknown): string {
  const [first] = isList(values) ? values : []
  return typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : 'string'
}

const mapValues = (of: Fields, to: (value: unknown) => unknown): Fields =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]))

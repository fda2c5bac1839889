// A tool's schema with no more than every server knows: types, descriptions, properties, items, what is required, and lists of values. Pure.
// What is left out is checked all the same when the tool is called.

type Json = unknown
const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const mostLevels = 12

export function toLeanSchema(schema: Readonly<Record<string, Json>>): Record<string, Json> {
  const lean = toLean(schema, 0)
  return { type: 'object', properties: {}, ...lean }
}

function toLean(given: Json, level: number): Record<string, Json> {
  if (!isObject(given) || level > mostLevels) return { type: 'string' }
  const schema = choose(given)
  const { properties, items, required, description } = schema
  const values = 'const' in schema ? [schema['const']] : schema['enum']
  const type = toType(schema['type']) ?? (properties ? 'object' : items ? 'array' : typeOfValues(values))
  return {
    type,
    ...(typeof description === 'string' ? { description } : {}),
    // Several servers know lists of texts only.
    ...(Array.isArray(values) && type === 'string' ? { enum: values.filter((one) => typeof one === 'string') } : {}),
    ...(isObject(properties) ? { properties: mapValues(properties, (one) => toLean(one, level + 1)) } : {}),
    ...(type === 'array' ? { items: toLean(Array.isArray(items) ? items[0] : items, level + 1) } : {}),
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  }
}

/** Of several forms the first that says what it is; with what stands beside them. */
function choose(schema: Record<string, Json>): Record<string, Json> {
  const { anyOf, oneOf, allOf, ...own } = schema
  for (const forms of [anyOf, oneOf, allOf]) {
    const form = Array.isArray(forms) ? forms.find((one) => isObject(one) && one['type'] !== 'null') : undefined
    if (isObject(form)) return { ...choose(form), ...own }
  }
  return own
}

const toType = (type: Json): Json => (Array.isArray(type) ? type.find((one) => one !== 'null') : type)

function typeOfValues(values: Json): string {
  const [first] = Array.isArray(values) ? (values as readonly Json[]) : []
  return typeof first === 'number' ? 'number' : typeof first === 'boolean' ? 'boolean' : 'string'
}

const mapValues = (of: Record<string, Json>, to: (value: Json) => Json): Record<string, Json> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, to(value)]))

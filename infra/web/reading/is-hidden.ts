// Whether an element is hidden by what stands on it: a page that shows people one text and machines another is told from it by little else.
// What a style sheet hides is not known here.

/** Without blanks and capitals. */
const hidingStyle =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:;|!|$)|font-size:0(?:[a-z%]+)?(?:;|!|$)|(?:left|top|right|text-indent|margin-left):-\d{3,})/
const mostStyleChars = 1000

export function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  if (attributes['hidden'] !== undefined || attributes['aria-hidden']?.toLowerCase() === 'true') return true
  const style = attributes['style']
  if (style === undefined) return false
  return hidingStyle.test(style.slice(0, mostStyleChars).toLowerCase().replaceAll(/\s+/g, ''))
}

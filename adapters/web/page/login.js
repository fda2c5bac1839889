// The login page's language; its form works without any script.
import { find } from './element.js'
import { applyWords, switchLanguage } from './words.js'

applyWords(document)
find('language', HTMLButtonElement).addEventListener('click', switchLanguage)

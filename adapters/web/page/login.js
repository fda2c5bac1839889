// The login page's language, and the link that logs in once. Its form works without any script.
import { element, find } from './element.js'
import { applyWords, switchLanguage } from './words.js'

applyWords(document)
find('language', HTMLButtonElement).addEventListener('click', switchLanguage)

function logInByLink() {
  const [, secret] = /^#once=([\w-]{1,100})$/.exec(location.hash) ?? []
  if (secret === undefined) return
  // Neither the address nor the way back shows it.
  history.replaceState(null, '', location.pathname)
  const form = element('form', { method: 'post', action: '/login', hidden: '' })
  form.append(element('input', { type: 'hidden', name: 'once', value: secret }))
  document.body.append(form)
  form.submit()
}

logInByLink()
// A link that is pasted where this page is open already loads nothing anew.
addEventListener('hashchange', logInByLink)

// Renaming and deleting the open conversation: a dialog each; deleting is asked first.
import { removeConversation, renameConversation } from './api.js'
import { find } from './element.js'

/** @param {{ current(): { id: string, title: string }, onRenamed(): void, onRemoved(id: string): void }} listener */
export function createManage({ current, onRenamed, onRemoved }) {
  const name = find('rename-name', HTMLInputElement)
  const rename = createDialog('rename', async () => {
    await renameConversation(current().id, name.value.trim())
    onRenamed()
  })
  const remove = createDialog('remove', async () => {
    const { id } = current()
    await removeConversation(id)
    onRemoved(id)
  })
  rename.button.addEventListener('click', () => {
    name.value = current().title
    rename.open()
    name.select()
  })
  remove.button.addEventListener('click', remove.open)
  return {
    /** Whether there is something to rename and to delete. @param {boolean} known */
    offer(known) {
      rename.button.hidden = !known
      remove.button.hidden = !known
    },
  }
}

/** It closes when the deed is done, else tells why not. @param {'rename' | 'remove'} what @param {() => Promise<void>} deed */
function createDialog(what, deed) {
  const dialog = find(`${what}-dialog`, HTMLDialogElement)
  const problem = find(`${what}-problem`, HTMLParagraphElement)
  let busy = false
  const run = async () => {
    if (busy) return
    busy = true
    try {
      await deed()
      dialog.close()
    } catch (failure) {
      problem.textContent = failure instanceof Error ? failure.message : String(failure)
    }
    busy = false
  }
  find(`${what}-form`, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault()
    void run()
  })
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close())
  return {
    button: find(what, HTMLButtonElement),
    open() {
      problem.textContent = ''
      dialog.showModal()
    },
  }
}

// Images of answers: only files of this server, and data of the answer itself. A foreign one would tell its server who reads. Data is decoded here and
// drawn on a canvas, so the page's policy need not allow any image by data. What cannot be shown stays the words that stand for it.

const imageData = /^data:(image\/(?:png|jpe?g|gif|webp|avif));base64,([A-Za-z0-9+/=\s]+)$/i
/** Of either side. A small file may hold an image of any size. */
const maxPixels = 4096

/** @param {HTMLElement} place holds the words that stand for it @param {string} address @param {string} alt */
export async function showImage(place, address, alt) {
  const [, type, base64] = imageData.exec(address) ?? []
  if (type !== undefined && base64 !== undefined) return await drawData(place, { type, base64, alt })
  const url = URL.parse(address, location.href)
  if (url?.origin !== location.origin) return
  const made = document.createElement('img')
  made.className = 'image'
  made.alt = alt
  made.addEventListener('load', () => place.replaceChildren(made))
  made.src = url.href
}

/** @param {HTMLElement} place @param {{ type: string, base64: string, alt: string }} image */
async function drawData(place, { type, base64, alt }) {
  const drawn = await decode(type, base64)
  if (!drawn || drawn.width > maxPixels || drawn.height > maxPixels) return
  const made = document.createElement('canvas')
  made.className = 'image'
  made.width = drawn.width
  made.height = drawn.height
  made.role = 'img'
  made.ariaLabel = alt
  made.getContext('2d')?.drawImage(drawn, 0, 0)
  drawn.close()
  place.replaceChildren(made)
}

/** @param {string} type @param {string} base64 */
async function decode(type, base64) {
  try {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
    return await createImageBitmap(new Blob([bytes], { type }))
  } catch {
    return undefined
  }
}

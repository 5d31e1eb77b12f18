/** Sends a form like `fetch`, and reports the sent part. */
export function upload(
  address: string,
  { method = 'POST', headers, body, signal }: RequestInit,
  onProgress: (share: number) => void,
): Promise<Response> {
  const sent = new XMLHttpRequest();
  sent.open(method, address);
  for (const [name, value] of new Headers(headers)) sent.setRequestHeader(name, value);
  sent.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
  signal?.addEventListener('abort', () => sent.abort());
  return new Promise((resolve, reject) => {
    for (const end of ['error', 'abort']) {
      sent.addEventListener(end, () => reject(new TypeError(`The upload ended by ${end}.`)));
    }
    sent.addEventListener('load', () => {
      const received = new Headers();
      for (const name of ['Content-Type', 'Retry-After']) {
        const value = sent.getResponseHeader(name);
        if (value !== null) received.set(name, value);
      }
      resolve(new Response(sent.responseText, { status: sent.status, headers: received }));
    });
    sent.send(body instanceof FormData ? body : null);
  });
}

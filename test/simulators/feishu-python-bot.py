# A small bot of the vendor's Python SDK, for feishu-python-long.test.ts: it answers messages with a card, and presses with a toast and a
# card. At the message "finish" it makes one call of each kind and prints, as one line of JSON, the codes that they came to.
# Arguments: the address, the app's id, its secret.
import io
import json
import sys
import threading

import lark_oapi as lark
from lark_oapi.api.im.v1 import (
    CreateFileRequest,
    CreateFileRequestBody,
    CreateMessageReactionRequest,
    CreateMessageReactionRequestBody,
    CreateMessageRequest,
    CreateMessageRequestBody,
    DeleteMessageRequest,
    Emoji,
    GetChatRequest,
    GetMessageRequest,
    PatchMessageRequest,
    PatchMessageRequestBody,
    ReplyMessageRequest,
    ReplyMessageRequestBody,
    UpdateMessageRequest,
    UpdateMessageRequestBody,
)
from lark_oapi.event.callback.model.p2_card_action_trigger import P2CardActionTriggerResponse

domain, app_id, app_secret = sys.argv[1:4]
client = lark.Client.builder().app_id(app_id).app_secret(app_secret).domain(domain).log_level(lark.LogLevel.ERROR).build()
finished = threading.Event()
chat = []


def card(text, button=None):
    elements = [{"tag": "markdown", "content": text}]
    if button:
        callback = {"type": "callback", "value": {"go": button}}
        label = {"tag": "plain_text", "content": button}
        elements.append({"tag": "button", "text": label, "behaviors": [callback]})
    return {"schema": "2.0", "config": {"update_multi": True}, "body": {"elements": elements}}


def on_message(event):
    message = event.event.message
    text = json.loads(message.content)["text"]
    if text == "finish":
        chat.append(message.chat_id)
        finished.set()
        return
    body = (
        ReplyMessageRequestBody.builder().msg_type("interactive").content(json.dumps(card("you said " + text, "Go"))).build()
    )
    client.im.v1.message.reply(ReplyMessageRequest.builder().message_id(message.message_id).request_body(body).build())


def on_press(event):
    go = event.event.action.value["go"]
    shown = {"toast": {"type": "info", "content": "went " + go}, "card": {"type": "raw", "data": card("pressed")}}
    return P2CardActionTriggerResponse(shown)


def create(receive_id, kind, content):
    body = CreateMessageRequestBody.builder().receive_id(receive_id).msg_type(kind).content(json.dumps(content)).build()
    request = CreateMessageRequest.builder().receive_id_type("chat_id").request_body(body).build()
    return client.im.v1.message.create(request)


def run_calls(chat_id):
    messages = client.im.v1.message
    text = create(chat_id, "text", {"text": "one"})
    asked = create(chat_id, "interactive", card("ask"))
    edit = UpdateMessageRequestBody.builder().msg_type("text").content(json.dumps({"text": "two"})).build()
    patch = PatchMessageRequestBody.builder().content(json.dumps(card("asked"))).build()
    emoji = Emoji.builder().emoji_type("OK").build()
    reaction = CreateMessageReactionRequestBody.builder().reaction_type(emoji).build()
    text_id, card_id = text.data.message_id, asked.data.message_id
    upload = (
        CreateFileRequestBody.builder().file_type("stream").file_name("a.txt").file(io.BytesIO(b"notes")).build()
    )
    uploaded = client.im.v1.file.create(CreateFileRequest.builder().request_body(upload).build())
    bad_card = {"schema": "2.0", "body": {"elements": [{"tag": "note", "elements": []}]}}
    calls = {
        "text": text,
        "card": asked,
        "edit": messages.update(UpdateMessageRequest.builder().message_id(text_id).request_body(edit).build()),
        "patch": messages.patch(PatchMessageRequest.builder().message_id(card_id).request_body(patch).build()),
        "get": messages.get(GetMessageRequest.builder().message_id(text_id).build()),
        "react": client.im.v1.message_reaction.create(
            CreateMessageReactionRequest.builder().message_id(text_id).request_body(reaction).build()
        ),
        "upload": uploaded,
        "file": create(chat_id, "file", {"file_key": uploaded.data.file_key}),
        "chat": client.im.v1.chat.get(GetChatRequest.builder().chat_id(chat_id).build()),
        "delete": messages.delete(DeleteMessageRequest.builder().message_id(card_id).build()),
        "unknown chat": create("oc_0", "text", {"text": "x"}),
        "bad card": create(chat_id, "interactive", bad_card),
    }
    return {name: answer.code for name, answer in calls.items()}


handler = (
    lark.EventDispatcherHandler.builder("", "")
    .register_p2_im_message_receive_v1(on_message)
    .register_p2_card_action_trigger(on_press)
    .register_p2_im_message_reaction_created_v1(lambda event: None)
    .register_p2_im_message_recalled_v1(lambda event: None)
    .register_p2_im_chat_member_bot_added_v1(lambda event: None)
    .build()
)
connection = lark.ws.Client(app_id, app_secret, event_handler=handler, domain=domain, log_level=lark.LogLevel.ERROR)
threading.Thread(target=connection.start, daemon=True).start()
finished.wait()
print(json.dumps(run_calls(chat[0])), flush=True)

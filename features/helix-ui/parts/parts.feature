Feature: The form of parts

  @helix-ui.parts.object @must
  Rule: A part is one JSON object

    Scenario: A text with quotes and a backslash
      When a request with this script:
        """
        [{"text": "She said \"no\" in C:\\temp"}]
        """
      Then the response has the text "She said \"no\" in C:\\temp"
      And no exchange of this scenario breaks this rule

  @helix-ui.parts.members @must
  Rule: A part has the members of its type

    Scenario Outline: A response with <part>
      When a request for a part <part>, with this script:
        """
        <script>
        """
      Then each part <part> of the response has the members that its list requires
      And no exchange of this scenario breaks this rule

      Examples:
        | part                   | script |
        | start                  | [{"text": "Hi"}] |
        | finish                 | [{"text": "Hi"}] |
        | abort                  | [{"chunk": {"type": "run_interrupted", "runId": "run-1", "checkpointId": null}}] |
        | message-metadata       | [{"part": {"type": "message-metadata", "messageMetadata": {"tokens": 3}}}] |
        | start-step             | [{"text": "Hi"}] |
        | finish-step            | [{"text": "Hi"}] |
        | reset-step             | [{"text": "Hi"}, {"part": {"type": "reset-step"}}] |
        | text-start             | [{"text": "Hi"}] |
        | text-delta             | [{"text": "Hi"}] |
        | text-end               | [{"text": "Hi"}] |
        | reasoning-start        | [{"thinking": "hm"}] |
        | reasoning-delta        | [{"thinking": "hm"}] |
        | reasoning-end          | [{"thinking": "hm"}] |
        | error                  | [{"fail": "no model"}] |
        | tool-input-start       | [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}] |
        | tool-input-delta       | [{"part": {"type": "tool-input-start", "toolCallId": "c1", "toolName": "weather"}}, {"part": {"type": "tool-input-delta", "toolCallId": "c1", "inputTextDelta": "{}"}}, {"part": {"type": "tool-input-available", "toolCallId": "c1", "toolName": "weather", "input": {}}}, {"part": {"type": "tool-output-available", "toolCallId": "c1", "output": 1}}] |
        | tool-input-available   | [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}] |
        | tool-input-error       | [{"tool": {"name": "weather", "arguments": "{\\"city\\":"}}] |
        | tool-approval-request  | [{"chunk": {"type": "tool_start", "toolCallId": "c1", "toolName": "pay", "arguments": {}}}, {"chunk": {"type": "tool_approval_request", "toolCallId": "c1", "toolName": "pay", "arguments": {}}}] |
        | tool-approval-response | [{"part": {"type": "tool-approval-response", "approvalId": "p1", "approved": true}}] |
        | tool-output-available  | [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}] |
        | tool-output-error      | [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "error": "no such city"}}] |
        | tool-output-denied     | [{"part": {"type": "tool-input-available", "toolCallId": "c1", "toolName": "pay", "input": {}}}, {"part": {"type": "tool-output-denied", "toolCallId": "c1"}}] |
        | source-url             | [{"part": {"type": "source-url", "sourceId": "s1", "url": "https://example.org/"}}] |
        | source-document        | [{"part": {"type": "source-document", "sourceId": "s2", "mediaType": "text/plain", "title": "Notes"}}] |
        | file                   | [{"part": {"type": "file", "url": "data:text/plain,hi", "mediaType": "text/plain"}}] |
        | reasoning-file         | [{"part": {"type": "reasoning-file", "url": "data:text/plain,hi", "mediaType": "text/plain"}}] |
        | steering-message       | [{"part": {"type": "steering-message", "id": "u2", "parts": [{"type": "text", "text": "Shorter"}]}}] |
        | custom                 | [{"part": {"type": "custom", "kind": "a.b"}}] |

    Scenario: A tool that returns to the client
      When a request with this script:
        """
        [{"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny."}]
        """
      Then the response has the text "Sunny."
      And no exchange of this scenario breaks this rule

  @helix-ui.parts.optional @must
  Rule: Optional members have the types of the table

    Scenario: A finish reason
      When a request with this script:
        """
        [{"text": "It is noon."}]
        """
      Then the response has these parts in order:
        """
        [{"type": "finish"}]
        """
      And no exchange of this scenario breaks this rule

  @helix-ui.parts.data @must @mapping
  Rule: A data part has data

    Scenario: What a tool emits
      When a request with this script:
        """
        [{"chunk": {"type": "custom", "eventName": "stops", "data": {"of": 9}}}, {"text": "Done."}]
        """
      Then the response has the text "Done."
      And no exchange of this scenario breaks this rule

  @helix-ui.parts.known @must-not
  Rule: Parts are of types that clients know

    Scenario: A response of texts and a tool
      When a request with this script:
        """
        [{"thinking": "hm"}, {"tool": {"name": "weather", "arguments": {"city": "Rome"}, "result": {"sky": "sunny"}}}, {"text": "Sunny again."}]
        """
      Then the response has the text "Sunny again."
      And no exchange of this scenario breaks this rule

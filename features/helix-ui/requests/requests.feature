Feature: Refusals

  @helix-ui.requests.refused @must
  Rule: What is no request is refused

    Scenario: A body that is no request
      When a request with the body "{\"text\": 7}"
      Then the request is refused

    Scenario: A body that is no JSON
      When a request with the body "{\"messages\": ["
      Then the request is refused

    Scenario: A request without a message
      When a request with the body "{\"messages\": []}"
      Then the request is refused

  @helix-ui.requests.credential @must @auth
  Rule: Nobody asks without a credential

    Scenario: A request without its credential
      When a request without its credential
      Then the request is refused with 401

    Scenario: A request with another credential
      When a request with another credential
      Then the request is refused with 401

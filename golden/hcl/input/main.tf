# Where the shop runs.
terraform {
  required_version = ">= 1.6"
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
}

variable "region" {
  type        = string
  description = "Where to build."
  default     = "eu-central-1"
}

locals {
  name = "shop-${var.region}"
  tags = { Name = local.name, Owner = var.owner }
}

provider "aws" {
  region = var.region
}

data "aws_ami" "ubuntu" {
  most_recent = true
  filter {
    name   = "name"
    values = ["ubuntu-*"]
  }
}

/* The machine that serves pages. */
resource "aws_instance" "web" {
  count         = 2
  ami           = data.aws_ami.ubuntu.id
  subnet_id     = module.network.subnet_ids[count.index]
  instance_type = var.size != "" ? var.size : "t3.micro"
  tags          = merge(local.tags, { Index = count.index })

  dynamic "ebs_block_device" {
    for_each = var.disks
    content {
      volume_size = ebs_block_device.value
    }
  }
}

module "network" {
  source = "./modules/network"
  cidr   = "10.0.0.0/16"
}

output "addresses" {
  value = [for server in aws_instance.web : server.public_ip]
}
